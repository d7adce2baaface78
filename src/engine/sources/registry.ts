import { WeirError } from "../base/errors.ts";
import type { SourceBuilder } from "../operators/context.ts";

/**
 * The builder of a kind of source. Each kind is loaded when a graph first uses it, so that a worker starts with little code.
 * @throws WeirError `unknown-kind`
 */
export async function sourceBuilder(kind: string): Promise<SourceBuilder> {
  switch (kind) {
    case "source.rows":
      return (await import("./rows-source.ts")).rowsSource;
    case "source.script":
      return (await import("./script-source.ts")).scriptSource;
    case "source.generator":
      return (await import("./generator-source.ts")).generatorSource;
    case "source.nexmark":
      return (await import("./nexmark-source.ts")).nexmarkSource;
    case "source.file":
      return (await import("./file-source.ts")).fileSource;
    case "source.socket":
      return (await import("./socket-source.ts")).socketSource;
    default:
      throw new WeirError({
        code: "unknown-kind",
        domain: "graph",
        message: `there is no source ${JSON.stringify(kind)}`,
      });
  }
}
