import type { GraphDocument } from "./graph-document.ts";
import { reached } from "./graph-rules.ts";
import { type Link, type Links, linksTo, type NodeInfo } from "./links.ts";
import { type Problem, pointer } from "./problem.ts";
import { listed, quoted, type Report } from "./report.ts";
import { bothOf, type Origins, rowTimes } from "./row-times.ts";
import type { NodeSchemas } from "./schema-flow.ts";

/** Rules about event time: what goes by it gets rows that have one, and watermarks (D-6, D-23). */
class EventTimeRules {
  private readonly document: GraphDocument;
  private readonly nodes: ReadonlyMap<string, NodeInfo>;
  private readonly links: readonly Link[];
  private readonly schemas: ReadonlyMap<string, NodeSchemas>;
  private readonly report: Report;
  private readonly carried: ReadonlyMap<Link, Origins>;
  /** Nodes that sources with watermarks reach, and nodes that sources without reach. */
  private readonly timed: ReadonlySet<string>;
  private readonly untimed: ReadonlySet<string>;

  constructor(
    document: GraphDocument,
    links: Links,
    order: readonly string[],
    schemas: ReadonlyMap<string, NodeSchemas>,
    report: Report,
  ) {
    this.document = document;
    this.nodes = links.nodes;
    this.links = links.links;
    this.schemas = schemas;
    this.report = report;
    this.carried = rowTimes(links, order);
    // A source whose config is wrong may be repaired into one with event time.
    const saysTime = this.sourcesThat(
      ({ spec, config }) => config === undefined || spec?.hasEventTime?.(config.value) === true,
    );
    this.timed = reached(saysTime, this.links);
    this.untimed = reached(
      this.sourcesThat(({ node }) => !saysTime.includes(node.id)),
      this.links,
    );
  }

  check(): void {
    const into = linksTo(this.links);
    for (const info of this.nodes.values()) {
      const { node, spec, config } = info;
      if (spec === undefined || config === undefined) continue;
      const links = into.get(node.id) ?? [];
      if (spec.needsEventTime?.(config.value)) {
        if (this.untimed.has(node.id) && !this.timed.has(node.id)) this.reportNoWatermark(node.id);
        else for (const { name } of spec.inputs) this.checkPort(info, name, links);
      }
      if (spec.oneSortOfTime) this.checkMixture(info, links);
    }
  }

  private sourcesThat(is: (info: NodeInfo) => boolean): string[] {
    return [...this.nodes.values()]
      .filter((info) => info.spec?.role === "source" && is(info))
      .map((info) => info.node.id);
  }

  private namesOf(ids: Iterable<string>): string {
    return listed([...ids].map((id) => this.nodes.get(id)?.node.name ?? id));
  }

  private reportNoWatermark(id: string): void {
    const sources = this.sourcesThat(({ node }) => reached([node.id], this.links).has(id));
    const haveNoWatermark = `${this.namesOf(sources)} ${sources.length === 1 ? "has" : "have"} no watermark`;
    const haveTimes = sources.every((source) => this.givesTimes(source));
    this.report.add({
      code: "no-event-time",
      node: id,
      field: "config",
      message: `${haveTimes ? "time does not move on here" : "no row that comes here has an event time"}: ${haveNoWatermark}`,
      hint: `${haveTimes ? "make it bounded or ascending" : "give the source a time column"}, or choose the processing-time trigger`,
      fix: this.timeColumnFix(sources),
    });
  }

  /** A port where every row would be late for having no time (D-23). */
  private checkPort({ node }: NodeInfo, port: string, links: readonly Link[]): void {
    const { timed, untimed } = this.at(links.filter(({ to }) => to.port === port));
    if (timed.size > 0 || untimed.size === 0) return;
    this.report.add({
      code: "no-event-time",
      node: node.id,
      field: port,
      message: `no row that comes in at ${quoted(port)} has an event time: ${this.namesOf(untimed)} ${untimed.size === 1 ? "gives" : "give"} none`,
      hint: "give the source a time column, or set the event time with derive before",
      fix: this.timeColumnFix([...untimed]),
    });
  }

  /** Either all rows have an event time or none: which of the two counts must not depend on what comes first. */
  private checkMixture({ node, spec }: NodeInfo, links: readonly Link[]): void {
    const { timed, untimed } = this.at(links);
    if (timed.size === 0 || untimed.size === 0) return;
    const own = links.filter((link) => this.at([link]).timed.size === 0 && this.at([link]).untimed.size > 0);
    this.report.add({
      code: "mixed-event-time",
      node: node.id,
      edge: own.length === 1 ? own[0]?.edge.id : undefined,
      field: links[0]?.to.port ?? "in",
      message: `only some of the rows that come here have an event time: ${this.namesOf(untimed)} ${untimed.size === 1 ? "gives" : "give"} none, and ${spec?.title} goes by event time or by the clock`,
      hint: "give every source a time column, or set the event time with derive before",
      fix: this.timeColumnFix([...untimed]),
    });
  }

  private at(links: readonly Link[]): Origins {
    return bothOf(links.flatMap((link) => this.carried.get(link) ?? []));
  }

  private givesTimes(source: string): boolean {
    const { spec, config } = this.nodes.get(source) as NodeInfo;
    return config !== undefined && spec?.givesTimes?.(config.value, "out") === true;
  }

  /** The first column of timestamps as the event time of the only source. */
  private timeColumnFix([source, ...others]: readonly string[]): Problem["fix"] {
    if (source === undefined || others.length > 0) return undefined;
    if (this.nodes.get(source)?.config === undefined || this.givesTimes(source)) return undefined;
    const index = this.document.nodes.findIndex(({ id }) => id === source);
    const fields = this.schemas.get(source)?.outputs["out"]?.fields ?? [];
    const column = fields.find(({ type }) => type.kind === "timestamp")?.name;
    if (column === undefined) return undefined;
    const path = pointer("nodes", index, "config", "time");
    return { title: `Event time from ${quoted(column)}`, patch: [{ op: "add", path, value: { column } }] };
  }
}

/** @param order topological */
export function checkEventTimes(
  document: GraphDocument,
  links: Links,
  order: readonly string[],
  schemas: ReadonlyMap<string, NodeSchemas>,
  report: Report,
): void {
  new EventTimeRules(document, links, order, schemas, report).check();
}
