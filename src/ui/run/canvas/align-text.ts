import type { PlanEdge } from "../../../engine/index.ts";
import type { RunFrame } from "../../engine-client/run-reader.ts";
import { groupBy } from "../../shared/group-by.ts";
import { type Alignment, barrierPlace } from "../alignment.ts";
import { plural } from "../quantities.ts";
import type { RunModel } from "../run-model.ts";

/** What a notice says, as pieces: those that name something stand out. */
export interface NoticeText {
  readonly delivered: readonly string[];
  readonly held: string;
  readonly missing: readonly string[];
  /** Where the first missing barrier is; empty where it is just on its way. */
  readonly where: string;
}

/** Names of more inputs than this are counted instead. */
const NAMED = 3;

export function noticeText(
  model: RunModel,
  frame: RunFrame,
  { epoch, delivered, missing, held }: Alignment,
): NoticeText {
  const first = missing[0];
  return {
    delivered: named(model, delivered),
    held:
      held === 0
        ? "nothing is behind it yet"
        : `${plural(held, "message")} behind it ${held === 1 ? "is" : "are"} held`,
    missing: named(model, missing),
    where: first === undefined ? "" : whereText(model, frame, epoch, first),
  };
}

/** A node whose subtasks are all meant is named once. */
function named(model: RunModel, edges: readonly PlanEdge[]): string[] {
  const names = groupBy(edges, ({ from }): string => from.node).flatMap(([node, links]) => {
    const tasks = new Set(links.map(({ from }) => from.task));
    const all = tasks.size === (model.tasksOf.get(node)?.length ?? 0);
    return all && tasks.size > 1 ? [model.nodeName(node)] : [...new Set(links.map((edge) => model.inputName(edge)))];
  });
  return names.length <= NAMED ? names : [...names.slice(0, NAMED - 1), `${names.length - NAMED + 1} more`];
}

function whereText(model: RunModel, frame: RunFrame, epoch: number, edge: PlanEdge): string {
  const place = barrierPlace(model, frame, epoch, edge);
  switch (place?.kind) {
    case undefined:
      return "";
    case "queued": {
      const at = model.taskName(place.edge.to.task);
      const line = place.ahead === 0 ? "next in line" : `behind ${plural(place.ahead, "message")}`;
      return place.edge.to.task === edge.to.task ? `Its barrier is here, ${line}.` : `Its barrier is ${line} at ${at}.`;
    }
    case "aligning":
      return `${model.taskName(place.task)} has its barrier and aligns, too.`;
    case "unsent":
      return `${model.taskName(place.task)} has its barrier and waits for room to send it.`;
    case "source":
      return frame.tasks[place.task]?.state === "Sending"
        ? `${model.taskName(place.task)} is blocked on a full edge and has not sent it yet.`
        : `${model.taskName(place.task)} has not sent it yet.`;
  }
}
