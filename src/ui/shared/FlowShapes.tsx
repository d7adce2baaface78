/** What flows on an edge: data a dot, a watermark a flag, a barrier a bar, the end a square, held messages hatched. */
export type FlowKind = "data" | "watermark" | "barrier" | "end" | "held";

/** One shape in a 12 × 12 box (held: 22 × 12), for legends and text. */
export function FlowShape({ kind }: { kind: FlowKind }) {
  const width = kind === "held" ? 22 : 12;
  return (
    <svg width={width} height={12} viewBox={`0 0 ${width} 12`} aria-hidden="true" style={{ flex: "none" }}>
      {shape(kind)}
    </svg>
  );
}

function shape(kind: FlowKind) {
  switch (kind) {
    case "data":
      return <circle cx="6" cy="6" r="4" fill="var(--flow-data)" />;
    case "watermark":
      return (
        <path
          d={flagPath(3, 1, 10)}
          fill="none"
          stroke="var(--flow-watermark)"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
      );
    case "barrier":
      return <rect x="4.3" width="3.4" height="12" rx="1.5" fill="var(--flow-barrier)" />;
    case "end":
      return <rect x="2" y="2" width="8" height="8" rx="1" fill="var(--flow-end)" />;
    case "held":
      return (
        <>
          <HeldPattern id="held-shape" />
          <rect
            x=".5"
            y="1"
            width="21"
            height="10"
            rx="2"
            fill="url(#held-shape)"
            stroke="var(--flow-barrier)"
            strokeWidth=".7"
          />
        </>
      );
  }
}

/** The hatching of what is held behind a barrier; put it in the `<defs>` of a drawing that fills with `url(#id)`. */
export function HeldPattern({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="2" height="5" fill="var(--flow-barrier)" opacity=".8" />
    </pattern>
  );
}

/** A flag on its pole, its foot at (x, y + height). */
export function flagPath(x: number, y: number, height: number): string {
  const flag = height * 0.55;
  return `M${x} ${y + height}V${y}l${flag * 1.25} ${flag / 2}L${x} ${y + flag}`;
}
