import { type ComponentType, useEffect } from "react";
import type { Command } from "../shell/commands.ts";
import type { Part } from "../shell/parts.tsx";
import type { Workbench } from "../shell/workbench.ts";
import { Automation } from "./automation.ts";
import { CanvasControls } from "./CanvasControls.tsx";
import { AlignNotices } from "./canvas/AlignNotices.tsx";
import { RunCanvas } from "./canvas/RunCanvas.tsx";
import { Epochs } from "./epochs/Epochs.tsx";
import { EdgeRings } from "./inspect/EdgeRings.tsx";
import { NodeMetrics } from "./inspect/NodeMetrics.tsx";
import { NodeWatermarks } from "./inspect/NodeWatermarks.tsx";
import { EdgePreview, Preview } from "./inspect/Preview.tsx";
import { NodeLane } from "./lanes/NodeLane.tsx";
import { Log, LogBadge } from "./log/Log.tsx";
import { Output, OutputBadge } from "./output/Output.tsx";
import { RunBanner } from "./RunBanner.tsx";
import { RunControls } from "./RunControls.tsx";
import { RunProvider, useRunController } from "./run-context.ts";
import { RunController } from "./run-controller.ts";
import { StateSprite } from "./StateSprite.tsx";
import { Timeline, TimelineActions } from "./timeline/Timeline.tsx";
import { EventTime } from "./watermarks/EventTime.tsx";
import { Watermarks } from "./watermarks/Watermarks.tsx";

/** Running graphs and watching them. */
export function createRunPart(workbench: Workbench): Part {
  const controller = new RunController(workbench);
  window.weir = new Automation(workbench, controller);
  const withRun =
    <P extends object>(Content: ComponentType<P>): ComponentType<P> =>
    (props) => (
      <RunProvider value={controller}>
        <Content {...props} />
      </RunProvider>
    );
  return {
    id: "run",
    commands: () => runCommands(controller),
    TopBarControls: withRun(RunControls),
    CanvasControls: withRun(CanvasControls),
    CanvasOverlay: withRun(Overlay),
    CanvasFooter: withRun(RunBanner),
    NodeLane: withRun(NodeLane),
    Background: withRun(Background),
    drawerTabs: [
      { id: "timeline", title: "Timeline", Actions: withRun(TimelineActions), Content: withRun(Timeline) },
      { id: "epochs", title: "Epochs", Content: withRun(Epochs) },
      { id: "watermarks", title: "Watermarks", Content: withRun(Watermarks) },
      { id: "event-time", title: "Event time", Content: withRun(EventTime) },
      { id: "output", title: "Output", Badge: withRun(OutputBadge), Content: withRun(Output) },
      { id: "log", title: "Log", Badge: withRun(LogBadge), Content: withRun(Log) },
    ],
    inspectorTabs: [
      { id: "preview", title: "Data", subjects: ["node"], Content: withRun(Preview) },
      { id: "watermarks", title: "Watermarks", subjects: ["node"], Content: withRun(NodeWatermarks) },
      { id: "metrics", title: "Metrics", subjects: ["node"], Content: withRun(NodeMetrics) },
      { id: "edge-preview", title: "Data", subjects: ["edge"], Content: withRun(EdgePreview) },
      { id: "rings", title: "Rings", subjects: ["edge"], Content: withRun(EdgeRings) },
    ],
  };
}

function Overlay() {
  return (
    <>
      <RunCanvas />
      <AlignNotices />
    </>
  );
}

function Background() {
  const controller = useRunController();
  useEffect(() => {
    const leave = () => controller.leave();
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [controller]);
  return <StateSprite />;
}

function runCommands(controller: RunController): Command[] {
  const live = () => controller.isLive;
  const life = () => controller.run?.state.getState().status.life;
  return [
    {
      id: "run",
      title: "Run the graph",
      group: "Run",
      keys: ["Mod+Enter"],
      whileTyping: true,
      enabled: () => !live(),
      run: () => void controller.start(),
    },
    {
      id: "pause",
      title: "Pause the run",
      group: "Run",
      enabled: () => life() === "running",
      run: () => controller.pause(),
    },
    {
      id: "resume",
      title: "Go on with the run",
      group: "Run",
      enabled: () => life() === "paused",
      run: () => controller.resume(),
    },
    { id: "stop", title: "Stop the run with a final epoch", group: "Run", enabled: live, run: () => controller.stop() },
    { id: "cancel", title: "End the run at once", group: "Run", enabled: live, run: () => controller.cancel() },
    {
      id: "barrier",
      title: "Barrier now",
      group: "Run",
      enabled: () => life() === "running",
      run: () => controller.barrier(),
    },
    {
      id: "toggle-view",
      title: "Show tasks, or the graph as it was drawn",
      group: "Run",
      keys: ["v"],
      run: () => controller.setView(controller.state.getState().view === "tasks" ? "logical" : "tasks"),
    },
    {
      id: "clear-run",
      title: "Take the last run off the canvas",
      group: "Run",
      enabled: () => !live() && controller.run !== undefined,
      run: () => controller.clear(),
    },
  ];
}
