import { Schema } from "../data/schema.ts";
import type { AttachedFile } from "./graph-document.ts";
import type { Plan } from "./physical-plan.ts";

/**
 * Fingerprint of everything that a move list depends on (D-51), in parts, so that a refusal can name what differs.
 * Names, notes and places of nodes are no part of it, nor is where tasks are hosted.
 */
export function fingerprintOf(
  { tasks, edges, settings }: Omit<Plan, "fingerprint">,
  data: Readonly<Record<string, AttachedFile>> | undefined,
): string {
  const stages = tasks.flatMap((task) =>
    task.stages.map((stage) => ({ task: task.id, subtask: task.subtask, ...stage })),
  );
  const parts: Record<Part, unknown> = {
    tasks: stages.map(({ config: _, name: __, waitsForTime: ___, ...stage }) => stage),
    config: tasks
      .filter((task) => task.subtask === 0)
      .flatMap((task) => task.stages.map((stage) => [stage.node, stage.config])),
    edges: [edges, tasks.map((task) => task.routes)],
    settings: [settings.barrierEveryMs, settings.alignment, settings.epochTimeoutMs, settings.stopTimeoutMs],
    data: data ?? {},
  };
  return PARTS.map((part) => `${part}:${hashOf(parts[part])}`).join(" ");
}

const PARTS = ["tasks", "config", "edges", "settings", "data"] as const;
type Part = (typeof PARTS)[number];

const NAMES: Readonly<Record<Part, string>> = {
  tasks: "the nodes, their columns or their parallelism",
  config: "the configuration of a node",
  edges: "the edges, their routes or capacities",
  settings: "the settings",
  data: "the attached files",
};

/** What differs between two plans, in words; empty when a move list of one is a move list of the other. */
export function differencesBetween(a: string, b: string): string[] {
  const partsOfB = new Set(b.split(" "));
  const differing = new Set(
    a
      .split(" ")
      .filter((part) => !partsOfB.has(part))
      .map((part) => part.split(":")[0]),
  );
  if (differing.size === 0 && a !== b) return ["the version of Weir"];
  return PARTS.filter((part) => differing.has(part)).map((part) => NAMES[part]);
}

/** 64 bits of hash over a value's canonical text: keys in order, every digit, schemas by their text. */
function hashOf(value: unknown): string {
  const hash = new TextHash();
  feed(value, hash);
  return hash.toString();
}

function feed(value: unknown, hash: TextHash): void {
  if (value instanceof Schema) hash.add(`schema ${JSON.stringify(value.fields)}`);
  else if (Array.isArray(value)) {
    hash.add(`list of ${value.length}`);
    for (const each of value) feed(each, hash);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    hash.add(`object of ${entries.length}`);
    for (const [key, each] of entries.sort(byName)) {
      hash.add(key);
      feed(each, hash);
    }
  } else hash.add(`${typeof value} ${String(value)}`);
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** Two independent multiplicative hashes of 32 bits over UTF-16 units. It tells plans apart; it keeps no secrets. */
class TextHash {
  private a = 0x811c9dc5;
  private b = 0x9e3779b9;

  /** The text's length goes in too, so that "a" and "b" are not "ab". */
  add(text: string): void {
    this.mix(text.length);
    for (let i = 0; i < text.length; i++) this.mix(text.charCodeAt(i));
  }

  private mix(unit: number): void {
    this.a = Math.imul(this.a ^ unit, 0x01000193);
    this.b = Math.imul(this.b ^ unit, 0x85ebca6b);
    this.b ^= this.b >>> 15;
  }

  toString(): string {
    return [this.a, this.b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
