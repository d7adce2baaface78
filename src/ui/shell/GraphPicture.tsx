import type { GraphDocument } from "../document/graph.ts";
import { CARD_WIDTH, edgeGeometry, HEAD_MIDDLE, PORT_REACH } from "../editor/edge-geometry.ts";
import { KindIcon } from "../shared/KindIcon.tsx";
import styles from "./Gallery.module.css";

const CARD_HEIGHT = 44;
const MARGIN = 24;

/** A graph as a small drawing, as the canvas would show it. */
export function GraphPicture({ graph }: { graph: GraphDocument }) {
  const cards = graph.nodes.map(({ id, kind, ui = { x: 0, y: 0 } }) => ({ id, kind, x: ui.x, y: ui.y }));
  const places = new Map(cards.map((card) => [card.id, card]));
  const left = Math.min(...cards.map((card) => card.x)) - MARGIN;
  const top = Math.min(...cards.map((card) => card.y)) - MARGIN;
  const width = Math.max(...cards.map((card) => card.x)) + CARD_WIDTH + MARGIN - left;
  const height = Math.max(...cards.map((card) => card.y)) + CARD_HEIGHT + MARGIN - top;
  return (
    <svg viewBox={`${left} ${top} ${width} ${height}`} className={styles.picture} aria-hidden="true">
      {graph.edges.map((edge) => {
        const from = places.get(edge.from.node);
        const to = places.get(edge.to.node);
        if (from === undefined || to === undefined) return null;
        const { path } = edgeGeometry({
          sourceX: from.x + CARD_WIDTH + PORT_REACH,
          sourceY: from.y + HEAD_MIDDLE,
          targetX: to.x - PORT_REACH,
          targetY: to.y + HEAD_MIDDLE,
          drop: { from: from.y + CARD_HEIGHT, to: to.y },
        });
        return <path key={edge.id} d={path} className={styles.line} />;
      })}
      {cards.map(({ id, kind, x, y }) => (
        <g key={id} transform={`translate(${x} ${y})`}>
          <rect width={CARD_WIDTH} height={CARD_HEIGHT} rx="12" className={styles.card} />
          <g transform="translate(12 8)" className={styles.glyph}>
            <KindIcon kind={kind} size={28} />
          </g>
          <rect x="54" y="14" width={90} height="6" rx="3" className={styles.words} />
          <rect x="54" y="26" width={60} height="5" rx="2.5" className={styles.words} />
        </g>
      ))}
    </svg>
  );
}
