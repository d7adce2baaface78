/**
 * Which room may import which. Imports point only downwards; the core knows no I/O.
 * `scripts/check-imports.mjs` applies this and proves on a bad example that every rule still bites.
 */

const TEST = String.raw`\.test\.tsx?$`;
/** @param {string} name */
const room = (name) => `^src/engine/${name}/`;
const DOORS = String.raw`^src/engine/[^/]+\.ts$`;

const MESSAGES = `${room("core")}(messages|stages)`;
const kinds = ["operators", "sources", "sinks"].map(room);
const belowKinds = [room("base"), room("data"), room("expressions"), room("formats"), room("state"), MESSAGES];
const belowExecution = [
  ...["base", "core", "data", "state", "expressions", "formats", "topology", "transport"].map(room),
  ...kinds,
];

/** What each room of the engine may import besides itself. */
const rooms = {
  base: [],
  core: [room("base")],
  data: [room("base")],
  state: [room("base"), room("data")],
  expressions: [room("base"), room("data")],
  formats: [room("base"), room("data")],
  topology: [
    ...["base", "data", "expressions"].map(room),
    `${room("core")}vnodes`,
    "^src/engine/(operators|sources|sinks)/catalog",
  ],
  operators: [...belowKinds, ...kinds],
  sources: [...belowKinds, ...kinds],
  // Staging by epoch is sans-IO and serves every exactly-once sink.
  sinks: [...belowKinds, ...kinds, `${room("core")}epoch-staging`],
  transport: [room("base"), room("data"), `${room("core")}messages`],
  execution: [...belowExecution, room("trace")],
  trace: [...belowExecution, room("execution")],
};

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const roomRules = Object.entries(rooms).map(([name, allowed]) => ({
  name: `room-${name}`,
  severity: "error",
  from: { path: room(name), pathNot: TEST },
  to: { path: "^(src|bench|e2e|scripts)/", pathNot: [room(name), ...allowed, room("testing")] },
}));

/**
 * What may be imported from certain places only.
 *
 * @param {string} name
 * @param {string[]} from
 * @param {{ path: string }} to
 * @returns {import("dependency-cruiser").IForbiddenRuleType}
 */
const only = (name, from, to) => ({ name, severity: "error", from: { pathNot: from }, to });

/** @type {{ forbidden: import("dependency-cruiser").IForbiddenRuleType[], options: import("dependency-cruiser").ICruiseOptions }} */
export default {
  forbidden: [
    ...roomRules,
    {
      name: "engine-tests-stay-in-the-engine",
      severity: "error",
      from: { path: `^src/engine/.*${TEST}` },
      to: { path: "^(src|bench|e2e)/", pathNot: "^src/engine/" },
    },
    {
      name: "workers-use-doors",
      severity: "error",
      from: { path: "^src/workers/", pathNot: TEST },
      to: { path: "^(src|bench|e2e)/", pathNot: ["^src/workers/", DOORS] },
    },
    {
      name: "cli-uses-doors",
      severity: "error",
      from: { path: "^src/cli/", pathNot: TEST },
      to: { path: "^(src|e2e)/", pathNot: ["^src/cli/", "^src/workers/", DOORS] },
    },
    {
      name: "bench-uses-doors",
      severity: "error",
      from: { path: "^bench/", pathNot: TEST },
      to: { path: "^src/", pathNot: ["^src/workers/", DOORS] },
    },
    {
      name: "e2e-uses-doors",
      severity: "error",
      from: { path: "^e2e/" },
      to: { path: "^src/", pathNot: [room("testing"), DOORS] },
    },
    {
      // Workers are reached by URL, from engine-client alone; scripts/check-globals.mjs holds that half.
      name: "ui-uses-the-door",
      severity: "error",
      from: { path: "^src/ui/", pathNot: TEST },
      to: { path: "^(src|bench|e2e|scripts)/", pathNot: ["^src/ui/", String.raw`^src/engine/index\.ts$`] },
    },
    only("testing-only-in-tests", [TEST, room("testing"), "^e2e/"], { path: room("testing") }),
    { name: "nobody-imports-tests", severity: "error", from: {}, to: { path: TEST } },
    {
      name: "base-and-core-need-no-packages",
      severity: "error",
      from: { path: "^src/engine/(base|core)/", pathNot: TEST },
      to: { path: "node_modules/", pathNot: "node_modules/pure-rand/" },
    },
    only("react-flow-only-in-the-editor", ["^src/ui/editor/", "node_modules/"], { path: "node_modules/@xyflow/" }),
    only("page-libraries-only-in-ui", ["^src/ui/", String.raw`^[^/]+\.config\.ts$`, "node_modules/"], {
      path: "node_modules/(react|react-dom|@mantine|@tabler|@tanstack|@dagrejs|@codemirror|@fontsource-variable|zustand|zundo|uplot)/",
    }),
    only(
      "test-tools-only-in-tests",
      [TEST, room("testing"), "^(e2e|bench|scripts)/", String.raw`^[^/]+\.config\.ts$`, "node_modules/"],
      {
        path: "node_modules/(vitest|fast-check|papaparse|csv-parse|@playwright|@axe-core|@duckdb)/",
      },
    ),
    {
      name: "node-only-where-node-runs",
      severity: "error",
      from: { path: "^src/(engine|ui|workers)/", pathNot: [TEST, "^src/workers/node/"] },
      to: { dependencyTypes: ["core"] },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "nothing-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    // The TypeScript parser needs an older TypeScript; without swc no TypeScript file would be read, and all would pass.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "style", "browser", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
