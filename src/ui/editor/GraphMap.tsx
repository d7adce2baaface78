import { useComputedColorScheme } from "@mantine/core";
import { type ReactFlowState, useReactFlow, useStoreApi } from "@xyflow/react";
import { type PointerEvent, useEffect, useRef, type WheelEvent } from "react";
import { useWorkbench } from "../shell/workbench.ts";
import styles from "./Canvas.module.css";
import { type MapFrame, mapFrame, type Rectangle } from "./map-frame.ts";

const SIZE = { width: 200, height: 150 };
const RADIUS = 6;
const ZOOM_STEP = 0.002;

/** A map of the whole graph, with the part that is in sight; dragging moves that part, the wheel zooms. */
export function GraphMap() {
  const { editor } = useWorkbench();
  const flow = useReactFlow();
  const store = useStoreApi();
  const scheme = useComputedColorScheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = useRef<MapFrame>(undefined);

  // Drawn outside of React and once a frame: on a large graph that is dragged it would be drawn anew from a thousand elements.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours are another picture.
  useEffect(() => {
    let handle: number | undefined;
    // Asked for once: the page works its styles out before it answers.
    let colours: MapColours | undefined;
    const later = () => {
      handle ??= requestAnimationFrame(() => {
        handle = undefined;
        if (canvas.current === null) return;
        colours ??= coloursOf(canvas.current);
        shown.current = paint(canvas.current, store.getState(), colours);
      });
    };
    later();
    const stop = store.subscribe((state, before) => {
      const { nodes, transform, width, height } = before;
      if (state.nodes !== nodes || state.transform !== transform || state.width !== width || state.height !== height)
        later();
    });
    return () => {
      stop();
      if (handle !== undefined) cancelAnimationFrame(handle);
    };
  }, [store, scheme]);

  const press = (event: PointerEvent) => {
    if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
  };
  const drag = ({ currentTarget, pointerId, movementX, movementY }: PointerEvent) => {
    if (!currentTarget.hasPointerCapture(pointerId) || shown.current === undefined) return;
    const { x, y, zoom } = flow.getViewport();
    const by = zoom / shown.current.scale;
    editor.view?.loosen();
    void flow.setViewport({ x: x - movementX * by, y: y - movementY * by, zoom });
  };
  const turn = ({ deltaY }: WheelEvent) => {
    editor.view?.loosen();
    void flow.zoomTo(flow.getZoom() * 2 ** (-deltaY * ZOOM_STEP));
  };

  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label="Map of the graph"
      data-testid="map"
      className={styles.map}
      style={SIZE}
      onPointerDown={press}
      onPointerMove={drag}
      onWheel={turn}
    />
  );
}

interface MapColours {
  readonly card: string;
  readonly chosen: string;
  readonly veil: string;
}

function coloursOf(canvas: HTMLCanvasElement): MapColours {
  const style = getComputedStyle(canvas);
  const colour = (token: string) => style.getPropertyValue(token);
  return { card: colour("--line-strong"), chosen: colour("--accent"), veil: colour("--canvas") };
}

function paint(canvas: HTMLCanvasElement, state: ReactFlowState, colours: MapColours): MapFrame | undefined {
  const context = canvas.getContext("2d");
  if (context === null || state.width === 0) return undefined;
  canvas.width = SIZE.width * devicePixelRatio;
  canvas.height = SIZE.height * devicePixelRatio;
  const [x, y, zoom] = state.transform;
  const sight = { x: -x / zoom, y: -y / zoom, width: state.width / zoom, height: state.height / zoom };
  const cards = state.nodes.flatMap(
    ({ position, selected = false, measured, width = measured?.width, height = measured?.height }) =>
      width === undefined || height === undefined ? [] : [{ ...position, width, height, selected }],
  );
  const frame = mapFrame([...cards, sight], SIZE);
  const scale = frame.scale * devicePixelRatio;
  context.setTransform(scale, 0, 0, scale, -frame.x * scale, -frame.y * scale);
  const chosen = cards.filter(({ selected }) => selected);
  fillCards(context, cards, colours.card, scale);
  context.fillStyle = colours.veil;
  context.globalAlpha = 0.7;
  context.beginPath();
  for (const { x, y, width, height } of [whole(frame), sight]) context.rect(x, y, width, height);
  context.fill("evenodd");
  context.globalAlpha = 1;
  fillCards(context, chosen, colours.chosen, scale);
  return frame;
}

function fillCards(
  context: CanvasRenderingContext2D,
  cards: readonly Rectangle[],
  colour: string,
  scale: number,
): void {
  context.fillStyle = colour;
  const rounded = RADIUS * scale >= 1;
  context.beginPath();
  for (const card of cards) {
    if (rounded) context.roundRect(card.x, card.y, card.width, card.height, RADIUS);
    else context.fillRect(card.x, card.y, card.width, card.height);
  }
  context.fill();
}

const whole = ({ x, y, scale }: MapFrame): Rectangle => ({
  x,
  y,
  width: SIZE.width / scale,
  height: SIZE.height / scale,
});
