import { TASK_STATES, type TaskState } from "../../../engine/index.ts";
import { laneColumns } from "../../editor/card-room.ts";
import { leastMark } from "../event-time.ts";
import { plural, rate, shortCount } from "../quantities.ts";
import type { RunView, ShownRun } from "../run-controller.ts";
import type { NodeTask } from "../run-model.ts";
import { laneText, overText, shareStripes } from "./lane-text.ts";
import styles from "./NodeLane.module.css";

/** More tasks than this are summed up by state, unless every task is to be seen. */
const MOST_LANES = 4;
const SHARES_MS = 400;
const SVG = "http://www.w3.org/2000/svg";

/**
 * The lanes of one node's card: a line for each of its tasks, its rate and its watermark. Written into the document directly, several
 * times a second: nothing of it passes through React.
 */
export class LaneList {
  private readonly shown: ShownRun;
  private readonly tasks: readonly NodeTask[];
  private readonly summed: boolean;
  /** Lanes side by side: their words are shorter the more there are. */
  private readonly columns: number;
  private readonly lanes: Lane[];
  private readonly rate = element("span", styles["rate"]);
  private readonly mark = element("b");

  constructor(root: HTMLElement, nodeId: string, shown: ShownRun, view: RunView) {
    this.shown = shown;
    this.tasks = shown.model.tasksOf.get(nodeId) ?? [];
    this.summed = view === "logical" && this.tasks.length > MOST_LANES;
    this.columns = this.summed ? 1 : laneColumns(this.tasks.length);
    this.lanes = Array.from({ length: this.summed ? MOST_LANES : this.tasks.length }, () => new Lane());
    this.rate.dataset["testid"] = `rate-${nodeId}`;
    this.rate.dataset["rate"] = "";
    this.lanes.forEach((lane, index) => {
      const task = this.tasks[index]?.task.id;
      lane.root.dataset["testid"] = this.summed ? `lanes-${nodeId}-${index}` : `lane-${task}`;
      if (!this.summed) lane.root.dataset["task"] = String(task);
    });
    root.replaceChildren(this.rate, this.laneBox());
    if (shown.model.hasTime) root.append(this.markRow(nodeId));
    this.update(false);
  }

  /** From far only the states can be seen, as colours. */
  update(far: boolean): void {
    if (far && !this.summed) {
      this.updateStates();
      return;
    }
    if (this.summed) this.updateSums();
    else this.updateTasks();
    this.updateRate();
    this.updateMark();
  }

  private updateStates(): void {
    const { run, model } = this.shown;
    this.tasks.forEach(({ task }, index) => {
      const reading = run.frame.tasks[task.id];
      if (reading === undefined) return;
      const said = overText(run.outcome, reading) ?? laneText(model, reading, run.trends.shares(task.id, SHARES_MS));
      this.lanes[index]?.showState(said.state);
    });
  }

  private updateTasks(): void {
    const { run, model } = this.shown;
    this.tasks.forEach(({ task }, index) => {
      const reading = run.frame.tasks[task.id];
      if (reading === undefined) return;
      const shares = run.trends.shares(task.id, SHARES_MS);
      const { state, text, measure } = overText(run.outcome, reading) ?? laneText(model, reading, shares);
      const lane = this.lanes[index];
      if (this.columns === 1) lane?.show(state, text, measure, shareStripes(shares));
      else lane?.showShort(state, this.shortText(state, index), `${model.taskName(task.id)}: ${text} ${measure}`);
    });
  }

  private shortText(state: TaskState, index: number): string {
    if (this.columns === 2) return state;
    return this.columns === 4 ? String(this.tasks[index]?.task.subtask) : "";
  }

  private laneBox(): HTMLElement {
    const box = element("div", styles["box"]);
    box.dataset["columns"] = String(this.columns);
    box.style.setProperty("--columns", String(this.columns));
    box.append(...this.lanes.map((lane) => lane.root));
    return box;
  }

  /** One line for each state, the most frequent first. */
  private updateSums(): void {
    const { run, model } = this.shown;
    const counts = new Map<TaskState, number>();
    for (const { task } of this.tasks) {
      const reading = run.frame.tasks[task.id];
      if (reading === undefined) continue;
      const { state } = laneText(model, reading, run.trends.shares(task.id, SHARES_MS));
      counts.set(state, (counts.get(state) ?? 0) + 1);
    }
    const most = TASK_STATES.filter((state) => counts.has(state)).sort(
      (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0),
    );
    this.lanes.forEach((lane, index) => {
      const state = most[index];
      if (state === undefined) lane.hide();
      else lane.show(state, state, `${counts.get(state)} of ${this.tasks.length}`, "none");
    });
  }

  /** Rows a second; rows in all once the run is over. */
  private updateRate(): void {
    const { run } = this.shown;
    const source = this.tasks[0]?.stage.role === "source";
    const total = this.tasks.reduce((sum, { stageIndex }) => {
      const stage = run.frame.stages[stageIndex];
      return sum + ((source ? stage?.rowsOut : stage?.rowsIn) ?? 0);
    }, 0);
    if (run.isOver) {
      setText(this.rate, shortCount(total));
      this.rate.title = `${plural(total, "row")} ${source ? "out" : "in"}`;
      return;
    }
    const perSecond = this.tasks.map(({ stageIndex }) => run.trends.rowsPerSecond(stageIndex, source ? "out" : "in"));
    const sum = perSecond.reduce<number>((all, each) => all + (each ?? 0), 0);
    setText(this.rate, perSecond.some((each) => each !== undefined) ? rate(sum) : "");
    this.rate.title = `rows a second ${source ? "out" : "in"}, over the last second`;
  }

  private updateMark(): void {
    const { run, model, times } = this.shown;
    if (!model.hasTime) return;
    const least = leastMark(this.tasks.map(({ task }) => run.frame.tasks[task.id]?.mark));
    setText(this.mark, times.mark(least));
    this.mark.title = times.full(least);
  }

  private markRow(nodeId: string): HTMLElement {
    const row = element("div", styles["mark"]);
    const name = element("span");
    name.textContent = "watermark";
    this.mark.dataset["testid"] = `watermark-${nodeId}`;
    row.append(name, this.mark);
    return row;
  }
}

/** One line: glyph, state, where time went, for how long. */
class Lane {
  readonly root = element("div", styles["lane"]);
  private readonly glyph = document.createElementNS(SVG, "use");
  private readonly text = element("span", styles["state"]);
  private readonly bar = element("span", styles["bar"]);
  private readonly measure = element("span", styles["measure"]);

  constructor() {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 12 12");
    svg.setAttribute("aria-hidden", "true");
    svg.append(this.glyph);
    this.root.append(svg, this.text, this.bar, this.measure);
  }

  showState(state: TaskState): void {
    if (this.root.dataset["state"] === state) return;
    this.root.dataset["state"] = state;
    this.glyph.setAttribute("href", `#state-${state}`);
  }

  show(state: TaskState, text: string, measure: string, stripes: string): void {
    this.showState(state);
    this.root.hidden = false;
    if (setText(this.text, text)) this.text.title = text;
    setText(this.measure, measure);
    if (this.bar.style.backgroundImage !== stripes) this.bar.style.backgroundImage = stripes;
  }

  /** As one of several side by side. */
  showShort(state: TaskState, text: string, title: string): void {
    this.showState(state);
    setText(this.text, text);
    if (this.root.title !== title) this.root.title = title;
  }

  hide(): void {
    this.root.hidden = true;
  }
}

function element(tag: string, className?: string): HTMLElement {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  return made;
}

/** True when it was another text. */
function setText(target: HTMLElement, text: string): boolean {
  if (target.textContent === text) return false;
  target.textContent = text;
  return true;
}
