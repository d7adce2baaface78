import { CATALOG } from "../../engine/index.ts";
import { type GraphNode, nodeName } from "../document/graph.ts";

/**
 * What stands under a node's name: its kind, unless that is its name and there is more to say, the one or two settings that tell it from
 * others of the kind, its width.
 */
export function nodeSummary(node: GraphNode): string {
  const spec = CATALOG.get(node.kind);
  const title = spec === undefined ? node.kind : spec.title.toLowerCase();
  const details = detailsOf(node).filter((part) => part !== "");
  const isSaid = details.length > 0 && nodeName(node).toLowerCase() === title;
  const width = node.parallelism > 1 ? [`×${node.parallelism}`] : [];
  return [...(isSaid ? [] : [title]), ...details, ...width].join(" · ");
}

function detailsOf({ kind, config }: GraphNode): string[] {
  const text = (key: string): string => (typeof config[key] === "string" ? (config[key] as string) : "");
  const number = (key: string): number | undefined =>
    typeof config[key] === "number" ? (config[key] as number) : undefined;
  const list = (key: string): string =>
    Array.isArray(config[key]) ? config[key].filter((each) => typeof each === "string").join(", ") : "";
  const rate = number("rowsPerSecond") ?? number("eventsPerSecond");
  const pace = rate === undefined || rate === 0 ? "" : `${compact(rate)}/s`;
  switch (kind) {
    case "source.file":
    case "sink.file":
      return [text("format")];
    case "source.generator":
      return [pace];
    case "source.nexmark":
      return [text("stream"), pace];
    case "throttle": {
      const delay = number("delayMsPerBatch");
      return [pace || (delay === undefined ? "" : `${duration(delay)} a batch`)];
    }
    case "window":
      return [windowText(config["window"] ?? usualWindow())];
    case "select":
    case "drop":
      return [list("columns")];
    case "derive":
      return [names(config["columns"])];
    case "count":
    case "aggregate":
      return [list("groupBy")];
    case "dedupe":
      return [list("keys")];
    case "rank": {
      const n = number("n");
      return [n === undefined ? "" : `top ${n}`];
    }
    case "filter":
      return [text("expression")];
    case "compute":
      return [text("function") || "process"];
    case "sink.table":
      return [text("delivery")];
    default:
      return [];
  }
}

/** Of columns that are computed. */
function names(columns: unknown): string {
  const list: readonly unknown[] = Array.isArray(columns) ? columns : [];
  return list.flatMap((each) => (isNamed(each) ? [each.name] : [])).join(", ");
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

let usual: unknown;

/** The window of a node that says none. */
function usualWindow(): unknown {
  if (usual !== undefined) return usual;
  const parsed = CATALOG.get("window")?.config.safeParse({});
  usual = parsed?.success === true ? (parsed.data as { readonly window?: unknown }).window : {};
  return usual;
}

function windowText(window: unknown): string {
  if (typeof window !== "object" || window === null) return "";
  const { kind, sizeMs, slideMs, gapMs } = window as Record<string, unknown>;
  const length = typeof sizeMs === "number" ? sizeMs : typeof gapMs === "number" ? gapMs : undefined;
  const slide = typeof slideMs === "number" ? ` / ${duration(slideMs)}` : "";
  return length === undefined ? String(kind) : `${kind} ${duration(length)}${slide}`;
}

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
] as const;

/** `10 s`, `1.5 s`, `250 ms`. */
export function duration(ms: number): string {
  const unit = UNITS.find(([size]) => ms >= size);
  return unit === undefined ? `${ms} ms` : `${Number((ms / unit[0]).toFixed(2))} ${unit[1]}`;
}

/** `2 k`, `1.31 M`. */
function compact(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toFixed(2))} M`;
  return value >= 1000 ? `${Number((value / 1000).toFixed(1))} k` : String(value);
}
