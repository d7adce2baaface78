import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Folder of what was built for Node. */
export const built = join(root, "dist", "node");

/** No child process may take longer. */
const DEADLINE_MS = 60_000;
/** For a test that starts several, on a machine that has other things to do. */
export const PATIENCE_MS = 180_000;

export interface WeirOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** Folder of the built command line, if it is another one. */
  readonly from?: string;
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of standard output, of standard error, without the empty one at the end. */
  readonly rows: readonly string[];
  readonly errors: readonly string[];
}

/** The built command line as a child process, without a terminal. */
export class Weir {
  /** Settles when it is gone and all its output is read. Rejects, and kills it, when it takes too long. */
  readonly ended: Promise<Ended>;
  readonly child: ChildProcessWithoutNullStreams;
  stdout = "";
  stderr = "";
  private listeners: (() => void)[] = [];

  constructor(args: readonly string[], { cwd = root, input = "", from = built }: WeirOptions = {}) {
    this.child = spawn(process.execPath, [join(from, "cli.js"), ...args], { cwd });
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.look();
    });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.look();
    });
    this.child.stdin.on("error", () => undefined).end(input);
    this.ended = this.waitForEnd(args);
    // A test that waits for something else first must not fail for this alone.
    this.ended.catch(() => undefined);
  }

  /** Settles once the text so far says so. */
  async until(met: (weir: Weir) => boolean): Promise<void> {
    const seen = new Promise<void>((resolve) => {
      this.listeners.push(() => met(this) && resolve());
      this.look();
    });
    const over = this.ended.then(({ stderr }) => {
      if (!met(this)) throw new Error(`it ended before: ${stderr}`);
    });
    await Promise.race([seen, over]);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  private look(): void {
    for (const listener of this.listeners) listener();
  }

  private waitForEnd(args: readonly string[]): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.child.kill("SIGKILL");
        reject(new Error(`weir ${args.join(" ")} was not over after ${DEADLINE_MS} ms; it said ${this.stderr}`));
      }, DEADLINE_MS);
      this.child.once("close", (status) => {
        clearTimeout(timer);
        const { stdout, stderr } = this;
        resolve({ status, stdout, stderr, rows: linesOf(stdout), errors: linesOf(stderr) });
      });
    });
  }
}

/** Runs the command line to its end. */
export function weir(args: readonly string[], options: WeirOptions = {}): Promise<Ended> {
  return new Weir(args, options).ended;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** A folder of a test's own, with the examples in it where they are asked for. */
export class TestFolder {
  readonly path = mkdtempSync(join(tmpdir(), "weir-cli-"));

  static withExamples(): TestFolder {
    const folder = new TestFolder();
    cpSync(join(root, "examples"), folder.path, { recursive: true });
    return folder;
  }

  /** Writes a file, a graph as JSON; answers its path. */
  write(name: string, content: string | Uint8Array | object): string {
    const path = join(this.path, name);
    const raw = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(path, raw ? content : JSON.stringify(content));
    return path;
  }

  file(name: string): string {
    return join(this.path, name);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A document with defaults that suit short tests. */
export function graph(nodes: readonly object[], edges: readonly object[], settings: object = {}): object {
  return { format: "weir.graph/v1", name: "test", settings: { barrierEveryMs: 0, ...settings }, nodes, edges };
}

export const rowsSource = (id: string, schema: readonly object[], rows: readonly unknown[]): object => ({
  id,
  kind: "source.rows",
  config: { schema, rows },
});

export const tableSink = (id: string, config: object = {}): object => ({ id, kind: "sink.table", config });
