import { routeText } from "../../document/route-text.ts";
import type { EdgeGeometry } from "../../editor/edge-geometry.ts";
import type { Editor } from "../../editor/editor.ts";
import type { RunView } from "../run-controller.ts";
import type { RunModel } from "../run-model.ts";
import { type Curve, curveOf, cutOut, downwards, type Point, sideways } from "./curve.ts";
import { around, type Box, type RingPlace } from "./places.ts";
import { gridPlaces } from "./ring-grid.ts";

/**
 * How the rings of an edge are drawn: as strips on its own line, each on a way of its own between two tasks, or, where those would be
 * too many, as cells of a grid on its own line.
 */
export type EdgeLook = "line" | "ways" | "grid";

/** An edge of the graph as a run shows it, in the coordinates of the graph. */
export interface EdgeScene {
  readonly id: string;
  readonly look: EdgeLook;
  readonly label: string;
  readonly curve: Curve;
  readonly drops: boolean;
  /** All physical edges; none: the edge lies inside a chain. */
  readonly rings: readonly number[];
  /** Strips that are drawn. In the logical view of many rings it is one, which shows the fullest. */
  readonly places: readonly RingPlace[];
  /** Edges that end at one port have their gates one above the other: this one's distance from the port, and its length. */
  readonly gate: { readonly shift: number; readonly length: number };
  /** Above or beside the strips. */
  readonly labelAt: Point;
  /** Below or beside the strips. */
  readonly countAt: Point;
  /** Around everything of it, words included. */
  readonly bounds: Box;
}

const STRIP_HEIGHT = 17;
const STACKED_HEIGHT = 11;
const MINI = { w: 46, h: 10 };
/** So many rings of an edge are drawn one by one in the logical view. */
export const STACKED_MOST = 4;
/** So many have a way each in the view of tasks. */
const WAYS_MOST = 48;

/** Where everything of a run stands, for the edges that the canvas shows now. */
export function sceneOf(model: RunModel, editor: Editor, view: RunView): EdgeScene[] {
  const cards = cardBoxes(editor);
  const scenes = model.graph.edges.flatMap((edge): EdgeScene[] => {
    const geometry = editor.edgePlaces.get(edge.id);
    const curve = geometry && curveOf(geometry.path);
    if (geometry === undefined || curve === undefined) return [];
    const { drops } = geometry;
    const rings = (model.ringsOf.get(edge.id) ?? []).map(({ id }) => id as number);
    const look: EdgeLook = view === "logical" ? "line" : rings.length > WAYS_MOST ? "grid" : "ways";
    const base = { id: edge.id, look, curve, drops, rings, gate: { shift: 0, length: GATE } };
    if (rings.length === 0) {
      const middle = { x: geometry.x, y: geometry.y, w: 0, h: 12 };
      return [bounded({ ...base, label: "chained", places: [], ...textPlaces(geometry, middle) })];
    }
    const places = placesOf(look, model, rings, geometry, curve, cards);
    if (places.length === 0) return [];
    return [bounded({ ...base, label: routeText(edge.route), places, ...textPlaces(geometry, around(places)) })];
  });
  return withGates(scenes);
}

function placesOf(
  look: EdgeLook,
  model: RunModel,
  rings: readonly number[],
  geometry: EdgeGeometry,
  curve: Curve,
  cards: ReadonlyMap<string, CardBox>,
): RingPlace[] {
  switch (look) {
    case "line":
      return logicalPlaces(model, rings, geometry, curve);
    case "ways":
      return taskPlaces(model, rings, geometry, cards);
    case "grid":
      return gridPlaces(model, inOrder(model, rings), geometry, curve);
  }
}

/** Room for what is written beside the strips of an edge. */
export const WORDS = { x: 130, y: 30 };

function bounded(scene: Omit<EdgeScene, "bounds">): EdgeScene {
  const curves = [scene.curve, ...scene.places.flatMap(({ before, after }) => [before, after])];
  const points = curves.flatMap(({ from, first, second, to }) => [from, first, second, to]);
  const boxes = [...scene.places.map(({ box }) => box), ...points.map((point) => ({ ...point, w: 0, h: 0 }))];
  const { x, y, w, h } = around(boxes.map((box) => ({ box })));
  return { ...scene, bounds: { x: x - WORDS.x, y: y - WORDS.y, w: w + 2 * WORDS.x, h: h + 2 * WORDS.y } };
}

const GATE = 22;

/** From above to below in the order in which the edges come in. */
function withGates(scenes: readonly EdgeScene[]): EdgeScene[] {
  return scenes.map((scene) => {
    const { to } = scene.curve;
    const together = scenes
      .filter((other) => other.curve.to.x === to.x && other.curve.to.y === to.y && !other.drops)
      .sort((a, b) => a.curve.from.y - b.curve.from.y);
    if (together.length < 2 || scene.drops) return scene;
    const length = 18;
    const shift = (together.indexOf(scene) - (together.length - 1) / 2) * (length + 4);
    const { x, y, w, h } = scene.bounds;
    const bounds = { x, y: y - Math.abs(shift), w, h: h + 2 * Math.abs(shift) };
    return { ...scene, gate: { shift, length }, bounds };
  });
}

function logicalPlaces(
  model: RunModel,
  rings: readonly number[],
  { x, y, drops }: EdgeGeometry,
  curve: Curve,
): RingPlace[] {
  const shown = rings.length > STACKED_MOST ? rings.slice(0, 1) : rings;
  const h = shown.length === 1 ? STRIP_HEIGHT : STACKED_HEIGHT;
  const gap = 2;
  const room = drops ? Number.POSITIVE_INFINITY : Math.abs(curve.to.x - curve.from.x) - 22;
  const height = shown.length * h + (shown.length - 1) * gap;
  const boxes = shown.map((edge, index) => {
    const w = Math.max(30, Math.min(stripWidth(model.plan.edges[edge]?.capacity ?? 1), room));
    return { edge, box: { x: x - w / 2, y: y - height / 2 + index * (h + gap), w, h } };
  });
  // What moves keeps to the edge that is drawn.
  const ways = cutOut(curve, around(boxes));
  return boxes.map((place) => ({ ...place, ...ways }));
}

/** A slot is 5.4 wide; a ring of more than 16 is as wide as one of 16. */
function stripWidth(capacity: number): number {
  return Math.max(38, Math.min(capacity, 16) * 5.4 + 6);
}

/** Strips in a column between the cards, or side by side between a card and the one below. */
function taskPlaces(
  model: RunModel,
  rings: readonly number[],
  geometry: EdgeGeometry,
  cards: ReadonlyMap<string, CardBox>,
): RingPlace[] {
  const order = inOrder(model, rings);
  const pitch = geometry.drops ? MINI.w + 8 : Math.max(4, Math.min(15, 220 / order.length));
  return order.flatMap((edge, index) => {
    const link = model.plan.edges[edge];
    const source = link && cards.get(link.from.node);
    const target = link && cards.get(link.to.node);
    if (source === undefined || target === undefined || link === undefined) return [];
    const shift = (index - (order.length - 1) / 2) * pitch;
    if (geometry.drops) {
      const center = { x: geometry.x + shift, y: geometry.y };
      const box = { x: center.x - MINI.w / 2, y: center.y - MINI.h / 2, ...MINI };
      const before = downwards({ x: between(source, center.x), y: source.y + source.h }, { x: center.x, y: box.y });
      const after = downwards({ x: center.x, y: box.y + box.h }, { x: between(target, center.x), y: target.y });
      return [{ edge, box, before, after }];
    }
    const h = Math.min(MINI.h, pitch - 1);
    const y = geometry.y + shift;
    const box = { x: geometry.x - MINI.w / 2, y: y - h / 2, w: MINI.w, h };
    const before = sideways(source.out(link.from.task), { x: box.x, y });
    const after = sideways({ x: box.x + box.w, y }, target.in(link.to.task));
    return [{ edge, box, before, after }];
  });
}

const between = (card: Box, x: number): number => Math.min(card.x + card.w - 14, Math.max(card.x + 14, x));

/** By target, then by source: the lines to one lane lie together. */
function inOrder(model: RunModel, rings: readonly number[]): number[] {
  return rings.toSorted((a, b) => rank(model, a) - rank(model, b));
}

function rank(model: RunModel, edge: number): number {
  const link = model.plan.edges[edge];
  const subtask = (task: number | undefined) => model.plan.tasks[task ?? -1]?.subtask ?? 0;
  return subtask(link?.to.task) * 1e5 + subtask(link?.from.task);
}

interface CardBox extends Box {
  in(task: number): Point;
  out(task: number): Point;
}

/** Cards as the canvas shows them, with the places of their lanes. */
export function cardBoxes(editor: Editor): Map<string, CardBox> {
  const boxes = new Map<string, CardBox>();
  for (const { id, type, position, measured } of editor.canvas.getState().nodes) {
    if (type !== "card") continue;
    const { x, y } = position;
    const w = measured?.width ?? 200;
    const h = measured?.height ?? 68;
    const middle = (task: number) => y + laneMiddle(id, task);
    boxes.set(id, {
      x,
      y,
      w,
      h,
      in: (task) => ({ x, y: middle(task) }),
      out: (task) => ({ x: x + w, y: middle(task) }),
    });
  }
  return boxes;
}

/** Below the upper edge of the card. */
function laneMiddle(node: string, task: number): number {
  const card = document.querySelector<HTMLElement>(`[data-node="${CSS.escape(node)}"]`);
  const lane = card?.querySelector<HTMLElement>(`[data-task="${task}"]`);
  return lane ? lane.offsetTop + lane.offsetHeight / 2 : 22;
}

function textPlaces({ drops }: EdgeGeometry, box: Box): { labelAt: Point; countAt: Point } {
  const middle = { x: box.x + box.w / 2, y: box.y + box.h / 2 };
  if (drops) return { labelAt: { x: box.x + box.w + 8, y: middle.y + 4 }, countAt: { x: box.x - 8, y: middle.y + 4 } };
  return { labelAt: { x: middle.x, y: box.y - 7 }, countAt: { x: middle.x, y: box.y + box.h + 14 } };
}
