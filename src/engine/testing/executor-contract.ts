import type { GraphDocumentInput } from "../topology/graph-document.ts";
import { modelRows } from "./graph-model.ts";
import { planned } from "./planned.ts";
import { RANDOM_SCHEMA, randomGraph } from "./random-graph.ts";

/**
 * What every executor must do, as plain async functions that throw: run against threads in Node, the lab, and Web Workers in a page.
 */
export interface ExecutorUnderTest {
  readonly name: string;
  /** Starts a run of the document. */
  start(document: GraphDocumentInput): Promise<RunUnderTest>;
}

export interface RunUnderTest {
  /** Settles when nothing of the run is left. */
  readonly over: Promise<OutcomeUnderTest>;
  /** Settles once the sink has shown so many rows; rejects when the run ends before. */
  rows(sink: string, atLeast: number): Promise<void>;
  /** Settles once so many epochs are committed; rejects when the run ends before. */
  committed(epochs: number): Promise<void>;
  barrier(): void;
  stop(): void;
  cancel(): void;
  pause(): void;
  resume(): void;
  /** Ends the worker that runs the task. */
  kill(task: number): void;
}

export interface OutcomeUnderTest {
  readonly kind: "finished" | "stopped" | "failed" | "cancelled";
  readonly error?: { readonly code: string; readonly message: string; readonly node?: string | undefined } | undefined;
  /** Rows of each sink as JSON lines of text cells, in the order in which they were shown. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** Numbers of the epochs that were completed and committed, in order. */
  readonly completed: readonly number[];
  readonly committed: readonly number[];
}

export interface ExecutorCase {
  readonly name: string;
  run(executor: ExecutorUnderTest): Promise<void>;
}

/** Graphs of the random part; more by hand, the browser is slow. */
const RANDOM_GRAPHS = 25;

const sink = (id = "table", delivery = "exactly-once") => ({
  id,
  kind: "sink.table",
  config: { delivery, limit: 10_000_000 },
});

const numbers = (id: string, count: number, batchRows = 3) => ({
  id,
  kind: "source.rows",
  config: {
    schema: RANDOM_SCHEMA,
    rows: Array.from({ length: count }, (_, i) => [String(i), ["a", "b", null][i % 3], i]),
    batchRows,
  },
});

const endless = (id: string, rowsPerSecond = 0) => ({
  id,
  kind: "source.generator",
  config: {
    fields: [{ name: "n", kind: "sequence" }],
    rows: 0,
    rowsPerSecond,
    batchRows: 16,
    seed: 1,
  },
});

const graph = (
  nodes: GraphDocumentInput["nodes"],
  edges: GraphDocumentInput["edges"],
  settings: GraphDocumentInput["settings"] = {},
): GraphDocumentInput => ({ format: "weir.graph/v1", name: "contract", settings, nodes, edges });

export const executorCases: readonly ExecutorCase[] = [
  ...Array.from({ length: RANDOM_GRAPHS }, (_, i) => ({
    name: `gives the rows of the model for random graph ${1000 + i} (F-5, F-6, F-76, F-79, D-13)`,
    run: async (executor: ExecutorUnderTest) => {
      const document = randomGraph(1000 + i, { throttles: true, barriers: true });
      const outcome = await finished(executor, document);
      for (const [id, rows] of modelRows(planned(document).document))
        equal([...(outcome.rows.get(id) ?? [])].sort(), rows, id);
      inOrder(outcome);
    },
  })),
  {
    name: "commits the tail of a bounded input although no barrier follows it (D-13)",
    run: async (executor) => {
      const document = graph([numbers("source", 7), sink()], [{ id: "e", from: "source", to: "table" }], {
        barrierEveryMs: 0,
      });
      const outcome = await finished(executor, document);
      equal(outcome.rows.get("table")?.length, 7, "rows");
      equal(outcome.committed, [1], "committed epochs");
    },
  },
  {
    name: "finishes a diamond of a fast and a slow branch at capacity 1 with barriers every millisecond (D-2, P-08)",
    run: async (executor) => {
      const document = graph(
        [
          numbers("source", 120, 1),
          { id: "fast", kind: "union", config: {} },
          { id: "slow", kind: "throttle", config: { delayMsPerBatch: 1 } },
          { id: "join", kind: "union", config: {} },
          sink(),
        ],
        [
          { id: "a", from: "source", to: "fast" },
          { id: "b", from: "source", to: "slow" },
          { id: "c", from: "fast", to: "join" },
          { id: "d", from: "slow", to: "join" },
          { id: "e", from: "join", to: "table" },
        ],
        { edgeCapacity: 1, barrierEveryMs: 1, hosts: "per-task" },
      );
      const outcome = await finished(executor, document);
      equal(outcome.rows.get("table")?.length, 240, "rows");
      inOrder(outcome);
    },
  },
  {
    name: "runs many tasks on one worker (D-2)",
    run: async (executor) => {
      const document = graph(
        [
          { ...numbers("source", 300), parallelism: 4 },
          { id: "u", kind: "union", parallelism: 4, config: {} },
          { ...sink(), parallelism: 4 },
        ],
        [
          { id: "a", from: "source", to: "u", route: { kind: "shuffle", columns: ["key"] } },
          { id: "b", from: "u", to: "table", route: { kind: "broadcast" } },
        ],
        { hosts: 1, edgeCapacity: 1, barrierEveryMs: 2 },
      );
      const outcome = await finished(executor, document);
      equal(outcome.rows.get("table")?.length, 300 * 4, "rows");
    },
  },
  {
    name: "fails with exactly the text of the source's error, and shows nothing uncommitted (F-63)",
    run: async (executor) => {
      const steps = [{ rows: [["1", "a", 1]] }, { fail: "boom" }];
      const document = graph(
        [{ id: "source", kind: "source.script", config: { schema: RANDOM_SCHEMA, steps } }, sink()],
        [{ id: "e", from: "source", to: "table", route: { kind: "rebalance" } }],
      );
      const outcome = await (await executor.start(document)).over;
      equal(outcome.kind, "failed", "outcome");
      equal(outcome.error?.message, "boom", "message");
      equal(outcome.error?.node, "source", "node");
      equal(outcome.rows.get("table")?.length ?? 0, 0, "rows");
    },
  },
  {
    name: "completes epochs after one of two sources has ended (F-41, P-07)",
    run: async (executor) => {
      const endlessRows = {
        id: "more",
        kind: "source.script",
        config: { schema: RANDOM_SCHEMA, steps: [{ rows: [["9", "z", 9]] }], hold: true },
      };
      const document = graph(
        [numbers("few", 3), endlessRows, { id: "u", kind: "union", config: {} }, sink()],
        [
          { id: "a", from: "few", to: "u" },
          { id: "b", from: "more", to: "u" },
          { id: "c", from: "u", to: "table" },
        ],
        { barrierEveryMs: 5 },
      );
      const run = await executor.start(document);
      await run.committed(3);
      run.stop();
      const outcome = await run.over;
      equal(outcome.kind, "stopped", "outcome");
      equal(outcome.rows.get("table")?.length, 4, "rows");
      inOrder(outcome);
    },
  },
  {
    name: "stops an endless graph with a final epoch that commits every row of its sinks in order (F-59)",
    run: async (executor) => {
      const document = graph(
        [endless("source", 2000), sink()],
        [{ id: "e", from: "source", to: "table", route: { kind: "rebalance" } }],
        {
          barrierEveryMs: 10,
        },
      );
      const run = await executor.start(document);
      await run.rows("table", 50);
      run.stop();
      run.stop();
      const outcome = await run.over;
      equal(outcome.kind, "stopped", "outcome");
      const rows = outcome.rows.get("table") ?? [];
      const expected = rows.map((_, i) => JSON.stringify([String(i + Number(JSON.parse(rows[0] as string)[0]))]));
      equal(rows, expected, "rows without a gap");
      inOrder(outcome);
    },
  },
  {
    name: "emits nothing of a count that is stopped, and all of one that ends (D-4, P-48)",
    run: async (executor) => {
      const steps = [
        {
          rows: [
            ["1", "a", 1],
            ["2", "b", 2],
          ],
        },
      ];
      const counted = (hold: boolean) =>
        graph(
          [
            { id: "source", kind: "source.script", config: { schema: RANDOM_SCHEMA, steps, hold } },
            { id: "count", kind: "count", config: { groupBy: ["key"] } },
            sink(),
          ],
          [
            { id: "a", from: "source", to: "count", route: { kind: "shuffle", columns: ["key"] } },
            { id: "b", from: "count", to: "table" },
          ],
          { barrierEveryMs: 5 },
        );
      const run = await executor.start(counted(true));
      await run.committed(2);
      run.stop();
      const stopped = await run.over;
      equal(stopped.kind, "stopped", "outcome");
      equal(stopped.rows.get("table")?.length ?? 0, 0, "rows of the stopped run");
      const ended = await finished(executor, counted(false));
      equal([...(ended.rows.get("table") ?? [])].sort(), ['["a","1"]', '["b","1"]'], "rows of the ended run");
    },
  },
  {
    name: "counts NULL, the empty text and the word null apart at any parallelism, and keeps every digit of an int64 key (P-02, P-10)",
    run: async (executor) => {
      for (const parallelism of [1, 4]) {
        const keys = [null, "", null, "a", "null", "undefined"];
        const rows = keys.map((key, i) => [i % 2 === 0 ? "9007199254740993" : "9007199254740992", key, 0]);
        const count = (id: string, key: string) => ({ id, kind: "count", parallelism, config: { groupBy: [key] } });
        const document = graph(
          [
            { id: "source", kind: "source.rows", config: { schema: RANDOM_SCHEMA, rows, batchRows: 2 } },
            count("words", "key"),
            count("ids", "id"),
            sink("w"),
            sink("i"),
          ],
          [
            { id: "a", from: "source", to: "words", route: { kind: "shuffle", columns: ["key"] } },
            { id: "b", from: "source", to: "ids", route: { kind: "shuffle", columns: ["id"] } },
            { id: "c", from: "words", to: "w", route: { kind: "rebalance" } },
            { id: "d", from: "ids", to: "i", route: { kind: "rebalance" } },
          ],
        );
        const outcome = await finished(executor, document);
        const words = ['["","1"]', '["a","1"]', '["null","1"]', '["undefined","1"]', '[null,"2"]'];
        equal([...(outcome.rows.get("w") ?? [])].sort(), words, "words");
        equal(
          [...(outcome.rows.get("i") ?? [])].sort(),
          ['["9007199254740992","3"]', '["9007199254740993","3"]'],
          "ids",
        );
      }
    },
  },
  {
    name: "puts 0 with −0 and every NaN together at any parallelism (P-09)",
    run: async (executor) => {
      for (const parallelism of [1, 4]) {
        const rows = [[0], ["-0"], ["NaN"], ["NaN"], [1]];
        const document = graph(
          [
            {
              id: "source",
              kind: "source.rows",
              config: { schema: [{ name: "x", type: "float64" }], rows, batchRows: 1 },
            },
            { id: "count", kind: "count", parallelism, config: { groupBy: ["x"] } },
            sink(),
          ],
          [
            { id: "a", from: "source", to: "count", route: { kind: "shuffle", columns: ["x"] } },
            { id: "b", from: "count", to: "table", route: { kind: "rebalance" } },
          ],
        );
        const outcome = await finished(executor, document);
        equal([...(outcome.rows.get("table") ?? [])].sort(), ['["0","2"]', '["1","1"]', '["NaN","2"]'], "groups");
      }
    },
  },
  {
    name: "carries text of every kind, and a string of a megabyte, to the last byte (P-01)",
    run: async (executor) => {
      const long = "é".repeat(500_000);
      const texts = ["a", "", "naïve", "🦔", "𝕎𝕖𝕚𝕣", "\u0000", long];
      const schema = [{ name: "text", type: "utf8" }];
      const rows = texts.map((text) => [text]);
      const document = graph(
        [{ id: "source", kind: "source.rows", config: { schema, rows, batchRows: 1 } }, sink()],
        [{ id: "e", from: "source", to: "table", route: { kind: "shuffle", columns: ["text"] } }],
      );
      const outcome = await finished(executor, document);
      equal([...(outcome.rows.get("table") ?? [])].sort(), texts.map((text) => JSON.stringify([text])).sort(), "texts");
    },
  },
  {
    name: "stands still while it is paused and goes on when resumed",
    run: async (executor) => {
      const document = graph(
        [endless("source", 2000), sink("table", "at-least-once")],
        [{ id: "e", from: "source", to: "table", route: { kind: "rebalance" } }],
      );
      const run = await executor.start(document);
      await run.rows("table", 20);
      run.pause();
      run.resume();
      await run.rows("table", 200);
      run.stop();
      equal((await run.over).kind, "stopped", "outcome");
    },
  },
  {
    name: "ends at once when it is cancelled, without committing what was staged (D-16)",
    run: async (executor) => {
      const document = graph(
        [endless("source"), sink()],
        [{ id: "e", from: "source", to: "table", route: { kind: "rebalance" } }],
        {
          barrierEveryMs: 20,
        },
      );
      const run = await executor.start(document);
      await run.rows("table", 1);
      run.cancel();
      equal((await run.over).kind, "cancelled", "outcome");
    },
  },
  {
    name: "fails when a worker dies, names its node, and runs again at once (D-16, F-80, P-53)",
    run: async (executor) => {
      const document = graph(
        [endless("source", 2000), { id: "u", kind: "union", config: {} }, sink()],
        [
          { id: "a", from: "source", to: "u", route: { kind: "rebalance" } },
          { id: "b", from: "u", to: "table", route: { kind: "rebalance" } },
        ],
        { hosts: "per-task", barrierEveryMs: 10 },
      );
      const run = await executor.start(document);
      await run.rows("table", 20);
      run.kill(1);
      const outcome = await run.over;
      equal(outcome.kind, "failed", "outcome");
      equal(outcome.error?.code, "host-died", "code");
      equal(outcome.error?.node, "u", "node");
      const again = graph([numbers("source", 7), sink()], [{ id: "e", from: "source", to: "table" }]);
      equal((await finished(executor, again)).rows.get("table")?.length, 7, "rows of the next run");
    },
  },
  {
    name: "fails the start with the node and its reason when a builder refuses, before any source is polled (F-10, F-66)",
    run: async (executor) => {
      const schema = RANDOM_SCHEMA;
      const document = graph(
        [
          numbers("good", 3),
          { id: "bad", kind: "source.file", config: { format: "csv", path: "no-such-file.csv", schema } },
          { id: "u", kind: "union", config: {} },
          sink("table", "at-least-once"),
        ],
        [
          { id: "a", from: "good", to: "u" },
          { id: "b", from: "bad", to: "u" },
          { id: "c", from: "u", to: "table" },
        ],
      );
      const outcome = await (await executor.start(document)).over;
      equal(outcome.kind, "failed", "outcome");
      equal(outcome.error?.node, "bad", "node");
      equal(outcome.rows.get("table")?.length ?? 0, 0, "rows");
    },
  },
  {
    name: "completes every epoch without alignment too (D-11)",
    run: async (executor) => {
      const document = graph(
        [numbers("x", 50, 1), numbers("y", 5, 1), { id: "u", kind: "union", config: {} }, sink()],
        [
          { id: "a", from: "x", to: "u" },
          { id: "b", from: "y", to: "u" },
          { id: "c", from: "u", to: "table" },
        ],
        { alignment: "none", barrierEveryMs: 1 },
      );
      const outcome = await finished(executor, document);
      equal(outcome.rows.get("table")?.length, 55, "rows");
    },
  },
];

async function finished(executor: ExecutorUnderTest, document: GraphDocumentInput): Promise<OutcomeUnderTest> {
  const outcome = await (await executor.start(document)).over;
  if (outcome.kind !== "finished") throw new Error(`the run ${outcome.kind}: ${outcome.error?.message}`);
  return outcome;
}

/** Epochs complete and commit in order without gaps (F-50, F-57). */
function inOrder({ completed, committed }: OutcomeUnderTest): void {
  for (let i = 1; i < completed.length; i++) equal(completed[i], (completed[i - 1] as number) + 1, "completed epochs");
  equal(committed, completed, "committed epochs");
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${short(b)}, got ${short(a)}`);
}

const short = (text: string | undefined): string =>
  text === undefined ? "nothing" : text.length > 400 ? `${text.slice(0, 400)}…` : text;
