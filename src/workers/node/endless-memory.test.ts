import { afterAll, describe, expect, test } from "vitest";
import { ThreadsExecutor } from "../../engine/index.ts";
import { planned } from "../../engine/testing/planned.ts";
import { spawnHost } from "./spawn-host.ts";

/**
 * An endless run at full speed, whose keys never come back: the state of its operators and, in a long run, the memory of the process stay as they are.
 * WEIR_ENDLESS_S=60 runs it for a minute; without it for a few epochs, which is too short to look at the process.
 */
const SECONDS = Number(process.env["WEIR_ENDLESS_S"] ?? 0);
const FEW_EPOCHS = 16;
const BARRIER_MS = 60;
const HOSTS = 2;
/** Some three times what the two seconds of open windows take; keys that stayed would come to more within a second. */
const MOST_STATE_BYTES = 150_000;
/** What garbage and growing buffers may add in a long run. */
const SLACK_BYTES = 64 * 2 ** 20;

const executor = new ThreadsExecutor({ cores: HOSTS, spawn: spawnHost });
afterAll(() => executor.release());

const key = { kind: "shuffle", columns: ["visitor"] };
const sink = (of: string): object => ({ id: `${of}_sink`, kind: "sink.blackhole", config: {} });

const OPERATORS: readonly (readonly [id: string, kind: string, config: object])[] = [
  ["windows", "window", { groupBy: ["visitor"], window: { kind: "sliding", sizeMs: 2000, slideMs: 1000 } }],
  ["sessions", "window", { groupBy: ["visitor"], window: { kind: "session", gapMs: 500 } }],
  [
    "ranked",
    "rank",
    { partitionBy: ["visitor"], orderBy: [{ column: "n" }], window: { kind: "tumbling", sizeMs: 1000 } },
  ],
  ["once", "dedupe", { keys: ["visitor"], ttlMs: 1000 }],
];

function document(): object {
  const fields = [
    { kind: "sequence", name: "n" },
    { kind: "timestamp", name: "ts", startMs: 0, stepMs: 1 },
  ];
  const time = { column: "ts", watermark: { kind: "bounded", delayMs: 50 } };
  const disorder = { maxMs: 50, fraction: 0.2 };
  const join = { leftKey: ["visitor"], rightKey: ["visitor"], lowerMs: -20, upperMs: 20, type: "full" };
  const ends = [...OPERATORS.map(([id]) => id), "pairs"];
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: BARRIER_MS },
    nodes: [
      { id: "feed", kind: "source.generator", config: { fields, rows: 0, seed: 3, disorder, time } },
      { id: "visits", kind: "derive", config: { columns: [{ name: "visitor", expression: "n / 40" }] } },
      ...OPERATORS.map(([id, kind, config]) => ({ id, kind, config })),
      { id: "pairs", kind: "join.interval", config: join },
      ...ends.map(sink),
    ],
    edges: [
      { id: "f", from: "feed", to: "visits" },
      ...OPERATORS.map(([id]) => ({ id, from: "visits", to: id, route: key })),
      { id: "left", from: "visits", to: { node: "pairs", port: "left" }, route: key },
      { id: "right", from: "visits", to: { node: "pairs", port: "right" }, route: key },
      ...ends.map((id) => ({ id: `${id}_out`, from: id, to: `${id}_sink` })),
    ],
  };
}

const greatest = (values: readonly number[]): number => Math.max(...values);

describe("an endless run on worker threads", () => {
  test(
    "keeps its state and its memory as they are",
    async () => {
      const stateBytes: number[] = [];
      const processBytes: number[] = [];
      const begun = performance.now();
      const run = executor.start(planned(document()).plan, {
        files: { folder: ".", attached: {} },
        onNote: () => {},
        onEpoch: ({ snapshots }) => {
          const sizes = snapshots.flatMap(([, { stages }]) => stages.map(({ state }) => state?.length ?? 0));
          stateBytes.push(sizes.reduce((sum, size) => sum + size, 0));
          processBytes.push(process.memoryUsage.rss());
          if (stateBytes.length >= FEW_EPOCHS && performance.now() - begun >= SECONDS * 1000) run.stop();
        },
      });
      expect(await run.outcome).toMatchObject({ kind: "stopped" });
      expect(greatest(stateBytes)).toBeGreaterThan(10_000);
      expect(greatest(stateBytes)).toBeLessThan(MOST_STATE_BYTES);
      if (SECONDS < 20) return;
      const third = Math.floor(processBytes.length / 3);
      expect(greatest(processBytes.slice(-third))).toBeLessThan(greatest(processBytes.slice(0, third)) + SLACK_BYTES);
    },
    (SECONDS + 60) * 1000,
  );
});
