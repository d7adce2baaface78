import type { Viewport } from "../../editor/editor-state.ts";
import type { EdgeNow } from "../../engine-client/run-reader.ts";
import type { Workbench } from "../../shell/workbench.ts";
import { alignments } from "../alignment.ts";
import { type Pressure, pressureOf } from "../pressure.ts";
import type { RunController, RunView, ShownRun } from "../run-controller.ts";
import { trace } from "./curve.ts";
import { FittedCanvas } from "./fitted-canvas.ts";
import { drawEdgeGates, drawRingGate, type Gates, gatesOf } from "./gates.ts";
import { hatch, onPaletteChange, palette } from "./palette.ts";
import { around, type Box, meet, type RingPlace } from "./places.ts";
import { drawCells } from "./ring-cells.ts";
import { drawFarContents, drawRing, type Ink, isFar } from "./ring-picture.ts";
import { type EdgeScene, STACKED_MOST, sceneOf, WORDS } from "./scene.ts";
import { StillLayer } from "./still-layer.ts";
import { drawLine, drawStill, drawText } from "./still-picture.ts";
import { Tokens } from "./tokens.ts";

/** A count that changes faster cannot be read. */
const COUNT_EVERY_MS = 130;
const PRESSURE_EVERY_MS = 90;
/** Smaller than that, words are only noise. */
const TEXT_FROM_ZOOM = 0.5;
const COUNT_LINE = 13;
/** What is drawn beside an edge apart from words: tokens, gates and their numbers. */
const BESIDE = 24;
const WITHOUT_WORDS = { x: WORDS.x - BESIDE, y: WORDS.y - BESIDE };

/**
 * Draws what a run shows on the edges of the graph, on a canvas that lies over them: outside React and React Flow, so that it may
 * change every frame.
 */
export class RunPainter {
  private readonly canvas: FittedCanvas;
  private readonly context: CanvasRenderingContext2D;
  private readonly controller: RunController;
  private readonly workbench: Workbench;
  private readonly stops: (() => void)[] = [];
  private readonly counts = new Map<string, { readonly text: string; readonly atMs: number }>();
  private ink: Omit<Ink, "scale"> | undefined = undefined;
  private readonly still = new StillLayer();
  private tokens = new Tokens();
  private scene: readonly EdgeScene[] = [];
  private edges: readonly EdgeScene[] = [];
  private needed: Box | undefined = undefined;
  private sightKey: readonly unknown[] = [];
  private sceneKey: readonly unknown[] = [];
  private shown: ShownRun | undefined = undefined;
  private pressure: Pressure = { full: new Set(), slow: new Set() };
  private pressedAt = Number.NEGATIVE_INFINITY;
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    canvas: HTMLCanvasElement,
    context: CanvasRenderingContext2D,
    controller: RunController,
    workbench: Workbench,
  ) {
    this.canvas = new FittedCanvas(canvas);
    this.context = context;
    this.controller = controller;
    this.workbench = workbench;
    const again = () => controller.loop.request();
    const size = new ResizeObserver(() => {
      this.canvas.measure();
      this.paint(performance.now());
    });
    size.observe(canvas.parentElement ?? canvas);
    const palettes = onPaletteChange(() => {
      this.ink = undefined;
      again();
    });
    const { editor, selection } = workbench;
    this.stops.push(
      () => size.disconnect(),
      palettes,
      editor.viewport.subscribe(again),
      editor.canvas.subscribe(again),
      selection.subscribe(again),
      controller.state.subscribe(again),
      controller.loop.listen((nowMs) => this.paint(nowMs)),
    );
  }

  close(): void {
    for (const stop of this.stops) stop();
    markSlow(new Set());
  }

  private paint(nowMs: number): void {
    const { context, canvas, controller } = this;
    const { shown, view } = controller.state.getState();
    if (shown !== this.shown) this.begin(shown);
    if (shown === undefined) {
      canvas.fit(undefined, nowMs);
      return;
    }
    this.ink ??= { context, colours: palette(), hatch: hatch(context, palette()) };
    this.follow(shown, nowMs);
    const viewport = this.workbench.editor.viewport.getState();
    const edges = this.edgesNow(shown, view, viewport, nowMs);
    canvas.fit(this.needed, nowMs);
    const { x, y, zoom } = viewport;
    const { place } = canvas;
    const scale = devicePixelRatio * zoom;
    const move = (onto: CanvasRenderingContext2D) =>
      onto.setTransform(scale, 0, 0, scale, devicePixelRatio * (x - place.x), devicePixelRatio * (y - place.y));
    const ink = { ...this.ink, scale };
    // The words of a chosen edge are its menu's.
    const chosen = this.workbench.selection.getState().edges;
    this.still.show(context, [shown, edges, view, this.ink, place, chosen], (onto) => {
      move(onto);
      for (const edge of edges)
        drawStill({ ...ink, context: onto }, shown, edge, zoom >= TEXT_FROM_ZOOM && !chosen.has(edge.id));
    });
    move(context);
    const gates = gatesOf(alignments(shown.model, shown.run.frame));
    for (const edge of edges) this.drawEdge(ink, shown, edge, gates, nowMs, zoom);
  }

  /** The edges in sight, and what part of the stage they need. */
  private edgesNow(shown: ShownRun, view: RunView, viewport: Viewport, nowMs: number): readonly EdgeScene[] {
    const scene = this.sceneNow(shown, view);
    const { size } = this.canvas;
    const { x, y, zoom } = viewport;
    const key = [scene, x, y, zoom, size, devicePixelRatio];
    if (key.every((each, index) => each === this.sightKey[index])) return this.edges;
    if (this.sightKey.slice(1).some((each, index) => each !== key[index + 1])) this.canvas.move(nowMs);
    this.sightKey = key;
    const sight = { x: -x / zoom, y: -y / zoom, w: size.w / zoom, h: size.h / zoom };
    this.edges = scene.filter(({ bounds }) => meet(bounds, sight));
    const { x: left, y: top, w, h } = around(this.edges.map(({ bounds }) => ({ box: bounds })));
    const slack = zoom < TEXT_FROM_ZOOM ? WITHOUT_WORDS : { x: 0, y: 0 };
    this.needed =
      this.edges.length === 0
        ? undefined
        : {
            x: x + (left + slack.x) * zoom,
            y: y + (top + slack.y) * zoom,
            w: (w - 2 * slack.x) * zoom,
            h: (h - 2 * slack.y) * zoom,
          };
    return this.edges;
  }

  private begin(shown: ShownRun | undefined): void {
    this.shown = shown;
    this.tokens = new Tokens();
    this.counts.clear();
    this.pressedAt = Number.NEGATIVE_INFINITY;
    markSlow(new Set());
  }

  private follow({ run, model }: ShownRun, nowMs: number): void {
    this.tokens.follow(run.frame, nowMs);
    if (nowMs - this.pressedAt < PRESSURE_EVERY_MS) return;
    this.pressedAt = nowMs;
    this.pressure = run.isOver ? { full: new Set(), slow: new Set() } : pressureOf(model, run.frame, run.trends);
    const nodes = [...this.pressure.slow].flatMap(
      (task) => model.plan.tasks[task]?.stages.map(({ node }): string => node) ?? [],
    );
    markSlow(new Set(nodes));
  }

  /** Laid out again when a card or an edge has moved. */
  private sceneNow({ model }: ShownRun, view: RunView): readonly EdgeScene[] {
    const { editor } = this.workbench;
    const key = [model, view, editor.canvas.getState().nodes, ...editor.edgePlaces.values()];
    if (key.length !== this.sceneKey.length || key.some((each, index) => each !== this.sceneKey[index])) {
      this.sceneKey = key;
      this.scene = sceneOf(model, editor, view);
    }
    return this.scene;
  }

  private drawEdge(ink: Ink, shown: ShownRun, edge: EdgeScene, gates: Gates, nowMs: number, zoom: number): void {
    const { frame } = shown.run;
    const moves = !this.calm.matches && !shown.run.isOver;
    this.drawLines(ink, edge, frame.edges, gates);
    if (moves) this.drawTokens(ink, edge, nowMs);
    if (edge.look === "grid") drawCells(ink, edge.places, frame.edges, this.pressure.full);
    else
      for (const place of this.stripsOf(shown, edge))
        this.drawContents(ink, place, frame.edges[place.edge], moves, nowMs);
    if (edge.look === "ways") for (const place of edge.places) drawRingGate(ink, place, edge.drops, gates);
    else drawEdgeGates(ink, edge, gates);
    if (zoom >= TEXT_FROM_ZOOM) this.drawCount(ink, edge, frame.edges, nowMs);
  }

  private drawTokens(ink: Ink, { look, rings, places }: EdgeScene, nowMs: number): void {
    const [first] = places;
    if (first !== undefined && (look === "grid" || rings.length > places.length))
      this.tokens.drawShared(ink, rings, first, nowMs);
    else this.tokens.draw(ink, places, nowMs);
  }

  private stripsOf(shown: ShownRun, edge: EdgeScene): readonly RingPlace[] {
    const together = edge.look === "line" && edge.rings.length > STACKED_MOST;
    return together ? [this.fullest(shown, edge)] : edge.places;
  }

  /** An empty ring is there already. */
  private drawContents(ink: Ink, place: RingPlace, ring: EdgeNow | undefined, moves: boolean, nowMs: number): void {
    if (ring === undefined) return;
    const colour = this.ringColour(ink, place.edge, ring);
    const plain = colour === ink.colours.lineStrong;
    if (plain && isFar(ink)) {
      if (ring.queued > 0) drawFarContents(ink, place.box, ring);
      return;
    }
    const empty = ring.queued === 0 && ring.kinds.length === 0;
    // A token passes below it.
    if (!plain || !empty || (moves && this.tokens.cover(place, nowMs))) drawRing(ink, place.box, ring, colour);
  }

  private ringColour({ colours }: Ink, ring: number, { held }: EdgeNow): string {
    if (held) return colours.barrier;
    return this.pressure.full.has(ring) ? colours.sending : colours.lineStrong;
  }

  /** Lines that stand out; the others are there already. */
  private drawLines(ink: Ink, edge: EdgeScene, edges: readonly EdgeNow[], gates: Gates): void {
    const { context, colours } = ink;
    if (edge.look === "ways") {
      for (const place of edge.places) {
        const reading = edges[place.edge];
        if (reading?.held === true || this.pressure.full.has(place.edge))
          drawLine(context, place, this.ringColour(ink, place.edge, reading as EdgeNow), 1.6);
      }
      return;
    }
    const held = edge.rings.length > 0 && edge.rings.every((ring) => gates.epochs.has(ring));
    const full = edge.rings.some((ring) => this.pressure.full.has(ring) && edges[ring]?.held !== true);
    if (!held && !full) return;
    context.beginPath();
    trace(context, edge.curve);
    context.strokeStyle = held ? colours.barrier : colours.sending;
    context.lineWidth = 2;
    context.stroke();
  }

  /** The strip of many rings shows the one that was fullest of late. */
  private fullest({ run }: ShownRun, { rings, places }: EdgeScene): RingPlace {
    const fill = (ring: number) => (run.trends.fill[ring] ?? 0) + (run.frame.edges[ring]?.held === true ? 1 : 0);
    const edge = rings.reduce((best, ring) => (fill(ring) > fill(best) + 0.05 ? ring : best));
    return { ...(places[0] as RingPlace), edge };
  }

  private drawCount(ink: Ink, edge: EdgeScene, edges: readonly EdgeNow[], nowMs: number): void {
    if (edge.rings.length === 0) return;
    const { colours } = ink;
    const held = edge.rings.some((ring) => edges[ring]?.held === true);
    const full = edge.rings.some((ring) => this.pressure.full.has(ring));
    const colour = held ? colours.barrier : full ? colours.sending : colours.faint;
    const count = this.countText(edge, edges, nowMs);
    const { x, y } = edge.countAt;
    const align = edge.drops ? "right" : "center";
    count.split("\n").forEach((line, index) => {
      drawText(ink, line, { x, y: y + index * COUNT_LINE }, colour, `10.5px ${colours.mono}`, align);
    });
  }

  private countText({ id, rings }: EdgeScene, edges: readonly EdgeNow[], nowMs: number): string {
    const before = this.counts.get(id);
    if (before !== undefined && nowMs - before.atMs < COUNT_EVERY_MS && this.controller.isLive) return before.text;
    const readings = rings.flatMap((ring) => edges[ring] ?? []);
    const sum = (of: (edge: EdgeNow) => number) => readings.reduce((all, edge) => all + of(edge), 0);
    const held = sum((edge) => (edge.held ? edge.queued : 0));
    const filled = `${sum((edge) => edge.dataQueued)}/${sum((edge) => edge.capacity)}`;
    const several = rings.length > 1;
    const parts = [
      filled,
      several ? ` · ${rings.length} rings` : "",
      held > 0 ? `${several ? "\n" : " · "}${held} held` : "",
    ];
    const fresh = { text: parts.join(""), atMs: nowMs };
    this.counts.set(id, fresh);
    return fresh.text;
  }
}

/** Puts the mark of a slow node on its card, and takes it off all others. */
function markSlow(nodes: ReadonlySet<string>): void {
  for (const card of document.querySelectorAll<HTMLElement>('[data-node][data-mark="slow"]')) {
    if (!nodes.has(card.dataset["node"] ?? "")) delete card.dataset["mark"];
  }
  for (const node of nodes) {
    const card = document.querySelector<HTMLElement>(`[data-node="${CSS.escape(node)}"]`);
    if (card !== null && card.dataset["mark"] === undefined) card.dataset["mark"] = "slow";
  }
}
