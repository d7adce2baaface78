import { ActionIcon, Button } from "@mantine/core";
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconPlayerStopFilled, IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { useStore } from "zustand";
import { sameMeaning } from "../document/analysis.ts";
import { shownKeys } from "../shell/commands.ts";
import { useWorkbench } from "../shell/workbench.ts";
import { clock, plural, rate, stay } from "./quantities.ts";
import styles from "./RunControls.module.css";
import { useFrame, useIsLive, useRunController, useRunPage, useRunState, useShownRun } from "./run-context.ts";
import type { ShownRun } from "./run-controller.ts";

/** In the top bar: start and steer, and how far the run is. */
export function RunControls() {
  const live = useIsLive();
  const shown = useShownRun();
  return (
    <div className={styles.controls} role="toolbar" aria-label="Run">
      {live ? <LiveButtons /> : <RunButton />}
      {shown !== undefined && (
        <>
          <Epochs />
          <Now shown={shown} live={live} />
          {live && <Edited shown={shown} />}
        </>
      )}
      {shown !== undefined && !live && <ClearButton />}
      <Announcement />
    </div>
  );
}

function RunButton() {
  const controller = useRunController();
  const starting = useRunPage((state) => state.starting);
  return (
    <Button
      variant="filled"
      data-testid="run"
      loading={starting}
      leftSection={<IconPlayerPlayFilled size={12} />}
      title={`Run the graph (${shownKeys("Mod+Enter").join(" ")})`}
      onClick={() => void controller.start()}
    >
      Run
    </Button>
  );
}

function LiveButtons() {
  const controller = useRunController();
  const life = useRunState((state) => state?.status.life);
  const paused = life === "paused";
  return (
    <>
      <Button
        data-testid={paused ? "resume" : "pause"}
        disabled={life !== "running" && !paused}
        leftSection={paused ? <IconPlayerPlayFilled size={11} /> : <IconPlayerPauseFilled size={12} />}
        onClick={() => (paused ? controller.resume() : controller.pause())}
      >
        {paused ? "Resume" : "Pause"}
      </Button>
      <Button
        data-testid="stop"
        leftSection={<IconPlayerStopFilled size={12} />}
        title={
          life === "stopping" ? "It ends with a final epoch; press again to end it at once" : "Stop with a final epoch"
        }
        onClick={() => (life === "stopping" ? controller.cancel() : controller.stop())}
      >
        {life === "stopping" ? "End now" : "Stop"}
      </Button>
      <Button
        data-testid="barrier"
        aria-label="Barrier now"
        disabled={life !== "running" && !paused}
        leftSection={<span className={styles.barrier} />}
        title="Send a barrier now: begin a checkpoint epoch"
        onClick={() => controller.barrier()}
      >
        Barrier<span className={styles.barrierWord}>&nbsp;now</span>
      </Button>
    </>
  );
}

function Epochs() {
  const issued = useRunState((state) => state?.status.issued ?? 0);
  const completed = useRunState((state) => state?.status.completed ?? 0);
  const committed = useRunState((state) => state?.status.committed ?? 0);
  const count = (name: string, value: number) => (
    <div>
      <dt>{name}</dt>
      <dd data-testid={`epochs-${name}`}>{value}</dd>
    </div>
  );
  return (
    <dl className={styles.epochs} aria-label="Epochs">
      {count("issued", issued)}
      {count("complete", completed)}
      {count("committed", committed)}
    </dl>
  );
}

const LIVES = {
  starting: "Starting",
  running: "",
  paused: "Paused",
  stopping: "Stopping",
  finished: "Finished",
  stopped: "Stopped",
  failed: "Failed",
  cancelled: "Cancelled",
} as const;

/** State, time and rate, written directly: they change all the time. */
function Now({ shown, live }: { shown: ShownRun; live: boolean }) {
  const life = useRunState((state) => state?.status.life ?? "starting");
  const text = useRef<HTMLSpanElement>(null);
  useFrame(() => {
    if (text.current !== null) text.current.textContent = nowText(shown, live);
  }, 250);
  return (
    <span className={styles.now}>
      <span className={styles.life} data-life={life} data-testid="run-life">
        {LIVES[life]}
      </span>
      <span ref={text} className={styles.word} data-testid="run-clock" />
    </span>
  );
}

/** The run goes on with the graph as it was. */
function Edited({ shown }: { shown: ShownRun }) {
  const { document } = useWorkbench();
  const edited = useStore(document, ({ id, graph }) => id === shown.document && !sameMeaning(graph, shown.graph));
  if (!edited) return null;
  return (
    <span
      className={styles.edited}
      data-testid="run-edited"
      title="What runs is the graph as it was when the run began. Stop and run again to run it as it is now."
    >
      graph edited since
    </span>
  );
}

function nowText({ run, model }: ShownRun, live: boolean): string {
  const { frame, trends } = run;
  const virtual = run.executor === "lab" ? " virtual" : "";
  const sources = [...model.tasksOf.values()].flat().filter(({ stage }) => stage.role === "source");
  const total = sources.reduce((sum, { stageIndex }) => sum + (frame.stages[stageIndex]?.rowsOut ?? 0), 0);
  if (!live) return `${stay(run.state.getState().status.nowMs)}${virtual} · ${plural(total, "row")}`;
  const perSecond = sources.reduce((sum, { stageIndex }) => sum + (trends.rowsPerSecond(stageIndex, "out") ?? 0), 0);
  return `${clock(frame.nowMs)}${virtual} · ${rate(perSecond).replace("/s", " rows/s")}`;
}

function ClearButton() {
  const controller = useRunController();
  return (
    <ActionIcon
      className={styles.clear}
      aria-label="Take the last run off the canvas"
      title="Take the last run off the canvas"
      data-testid="clear-run"
      onClick={() => controller.clear()}
    >
      <IconX size={15} />
    </ActionIcon>
  );
}

/** Says what a screen reader would otherwise have to go and look for. */
function Announcement() {
  const life = useRunState((state) => state?.status.life);
  const error = useRunState((state) => state?.status.outcome?.error);
  return (
    <span role="status" className="visually-hidden">
      {life === undefined ? "" : `Run ${life}${error === undefined ? "" : `: ${error.message}`}`}
    </span>
  );
}
