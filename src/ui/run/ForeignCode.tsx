import { Button } from "@mantine/core";
import type { ForeignModule } from "../document/foreign-modules.ts";
import { Banner } from "./Banner.tsx";
import { useRunController } from "./run-context.ts";

/** The graph would run code that the person has not agreed to: what it is, and what it could do. */
export function ForeignCode({ modules }: { modules: readonly ForeignModule[] }) {
  const controller = useRunController();
  return (
    <Banner
      tone="warning"
      testId="foreign-code"
      title="This graph brings code of its own"
      onClose={() => controller.declineCode()}
      actions={
        <Button data-testid="accept-code" onClick={() => controller.acceptCode()}>
          Run it
        </Button>
      }
    >
      {modules.map(({ path, nodes, bytes, sha256 }) => (
        <p key={path}>
          The module {path}, {bytes.toLocaleString("en")} bytes, in {nodes.join(", ")}
          {sha256 !== undefined && ` (SHA-256 ${sha256.slice(0, 16)}…)`}
        </p>
      ))}
      <p>
        A WebAssembly module imports nothing: it sees the rows that it is given, and neither this page nor the network.
        It can use memory and time, both limited, and it can make up what it gives back. You are asked once for each
        module.
      </p>
    </Banner>
  );
}
