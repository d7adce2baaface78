import { IconLink } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { FAR } from "../../editor/canvas-view.ts";
import { useWorkbench } from "../../shell/workbench.ts";
import { useRunController, useRunPage, useRunState, useShownRun } from "../run-context.ts";
import type { ShownRun } from "../run-controller.ts";
import { LaneList } from "./lane-list.ts";
import styles from "./NodeLane.module.css";

/** What a run shows on the card of a node. */
export function NodeLane({ nodeId }: { nodeId: string }) {
  const shown = useShownRun();
  if (shown === undefined || !shown.model.tasksOf.has(nodeId)) return null;
  return (
    <>
      <Lanes key={nodeId} nodeId={nodeId} shown={shown} />
      <Chain nodeId={nodeId} shown={shown} />
      <Failure nodeId={nodeId} />
    </>
  );
}

/** Numbers change at most so often: faster cannot be read. */
const EVERY_MS = 110;

function Lanes({ nodeId, shown }: { nodeId: string; shown: ShownRun }) {
  const { loop } = useRunController();
  const { editor } = useWorkbench();
  const view = useRunPage((state) => state.view);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (root.current === null) return;
    const lanes = new LaneList(root.current, nodeId, shown, view);
    // Cards take turns, so that no frame has to write all of them.
    let next = performance.now() + Math.random() * EVERY_MS;
    return loop.listen((nowMs) => {
      if (nowMs < next && !shown.run.isOver) return;
      next = nowMs + EVERY_MS;
      lanes.update(editor.viewport.getState().zoom < FAR);
    });
  }, [loop, editor, nodeId, shown, view]);
  return <div ref={root} className={styles.lanes} data-testid={`lanes-${nodeId}`} />;
}

function Chain({ nodeId, shown: { model } }: { nodeId: string; shown: ShownRun }) {
  const stages = model.tasksOf.get(nodeId)?.[0]?.task.stages ?? [];
  if (stages.length < 2) return null;
  const others = stages.filter(({ node }) => node !== nodeId).map(({ node }) => model.nodeName(node));
  return (
    <div className={styles.chain} data-testid={`chain-${nodeId}`} title={`one task with ${others.join(", ")}`}>
      <IconLink className={styles.link} size={12} aria-hidden="true" />
      <span>one task with {others.join(", ")}</span>
    </div>
  );
}

function Failure({ nodeId }: { nodeId: string }) {
  const error = useRunState((state) => state?.status.outcome?.error);
  const root = useRef<HTMLDivElement>(null);
  const failed = error?.node === nodeId;
  useEffect(() => {
    const card = root.current?.closest<HTMLElement>("[data-node]");
    if (!failed || !card) return;
    card.dataset["mark"] = "failed";
    return () => {
      delete card.dataset["mark"];
    };
  }, [failed]);
  if (!failed) return null;
  return (
    <div ref={root} className={styles.failure} data-testid={`failure-${nodeId}`}>
      <b>{error.message}</b>
      {error.hint}
    </div>
  );
}
