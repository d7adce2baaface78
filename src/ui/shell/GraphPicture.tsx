import type { GraphDocument } from "../document/graph.ts";
import { KindIcon } from "../shared/KindIcon.tsx";
import styles from "./Gallery.module.css";

const CHIP = { w: 84, h: 62 };
const ICON = 38;
const MARGIN = 16;
/** Cards are drawn as chips, so they may stand nearer to each other. */
const SQUEEZE = { x: 0.52, y: 0.78 };
/** However small the graph, a chip is no larger than in a graph of this size. */
const LEAST = { w: 560, h: 240 };

interface Chip {
  readonly id: string;
  readonly kind: string;
  readonly x: number;
  readonly y: number;
}

/** A graph as a small drawing: its nodes where they are, each as its kind's sign. */
export function GraphPicture({ graph }: { graph: GraphDocument }) {
  const chips = graph.nodes.map(
    ({ id, kind, ui = { x: 0, y: 0 } }): Chip => ({ id, kind, x: ui.x * SQUEEZE.x, y: ui.y * SQUEEZE.y }),
  );
  const places = new Map(chips.map((chip) => [chip.id, chip]));
  return (
    <svg viewBox={viewBox(chips)} className={styles.picture} aria-hidden="true">
      {graph.edges.map((edge) => {
        const from = places.get(edge.from.node);
        const to = places.get(edge.to.node);
        return from && to && <path key={edge.id} d={line(from, to)} className={styles.line} />;
      })}
      {chips.map(({ id, kind, x, y }) => (
        <g key={id} transform={`translate(${x} ${y})`}>
          <rect width={CHIP.w} height={CHIP.h} rx="14" className={styles.card} />
          <g transform={`translate(${(CHIP.w - ICON) / 2} ${(CHIP.h - ICON) / 2})`} className={styles.glyph}>
            <KindIcon kind={kind} size={ICON} />
          </g>
        </g>
      ))}
    </svg>
  );
}

function viewBox(chips: readonly Chip[]): string {
  const xs = chips.map(({ x }) => x);
  const ys = chips.map(({ y }) => y);
  const left = Math.min(...xs) - MARGIN;
  const top = Math.min(...ys) - MARGIN;
  const width = Math.max(...xs) + CHIP.w + MARGIN - left;
  const height = Math.max(...ys) + CHIP.h + MARGIN - top;
  const w = Math.max(width, LEAST.w);
  const h = Math.max(height, LEAST.h);
  return [left - (w - width) / 2, top - (h - height) / 2, w, h].join(" ");
}

/** To the side, or down to what lies below. */
function line(from: Chip, to: Chip): string {
  const ahead = to.x >= from.x + CHIP.w;
  if (!ahead && to.y > from.y + CHIP.h) {
    const [x1, y1, x2, y2] = [from.x + CHIP.w / 2, from.y + CHIP.h, to.x + CHIP.w / 2, to.y];
    const middle = (y1 + y2) / 2;
    return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
  }
  const [x1, y1, x2, y2] = [from.x + CHIP.w, from.y + CHIP.h / 2, to.x, to.y + CHIP.h / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
