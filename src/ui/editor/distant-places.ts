import type { CanvasEdge, CanvasNode } from "./canvas-items.ts";
import { type EdgeGeometry, edgeGeometry } from "./edge-geometry.ts";

/** A port as it was measured: its box from the corner of its card on. */
export interface PortBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Undefined for a port that was not measured. */
export type MeasuredPorts = (node: string, side: "source" | "target", port: string) => PortBox | undefined;

export interface EdgePlace {
  readonly edge: CanvasEdge;
  readonly geometry: EdgeGeometry;
}

interface Known extends EdgePlace {
  readonly source: CanvasNode;
  readonly target: CanvasNode;
}

/** Where edges lie; worked out again only for those with an edge or a card that is another object than last time. */
export class DistantPlaces {
  private known = new Map<string, Known>();
  private places: readonly EdgePlace[] = [];

  /** The same array as last time where nothing changed. An edge whose cards were never in sight has no place yet. */
  of(edges: readonly CanvasEdge[], nodes: readonly CanvasNode[], ports: MeasuredPorts): readonly EdgePlace[] {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const places = edges.flatMap((edge) => {
      const source = byId.get(edge.source);
      const target = byId.get(edge.target);
      const before = this.known.get(edge.id);
      if (before?.edge === edge && before.source === source && before.target === target) return [before];
      return placeOf(edge, source, target, ports) ?? [];
    });
    if (places.length !== this.places.length || places.some((place, index) => place !== this.places[index])) {
      this.known = new Map(places.map((place) => [place.edge.id, place]));
      this.places = places;
    }
    return this.places;
  }
}

function placeOf(
  edge: CanvasEdge,
  source: CanvasNode | undefined,
  target: CanvasNode | undefined,
  ports: MeasuredPorts,
): Known | undefined {
  const out = ports(edge.source, "source", edge.sourceHandle ?? "out");
  const into = ports(edge.target, "target", edge.targetHandle ?? "in");
  const height = source?.measured?.height;
  if (source === undefined || target === undefined || height === undefined || !out || !into) return undefined;
  const drop = edge.data?.mayDrop ? { from: source.position.y + height, to: target.position.y } : undefined;
  const geometry = edgeGeometry({
    sourceX: source.position.x + out.x + out.width,
    sourceY: source.position.y + out.y + out.height / 2,
    targetX: target.position.x + into.x,
    targetY: target.position.y + into.y + into.height / 2,
    drop,
  });
  return { edge, geometry, source, target };
}
