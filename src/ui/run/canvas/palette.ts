/** The page's colours for what is drawn on a canvas, which cannot read the tokens itself. */
const TOKENS = {
  canvas: "--canvas",
  panel: "--panel",
  line: "--line",
  lineStrong: "--line-strong",
  edge: "--edge",
  text: "--text",
  muted: "--muted",
  faint: "--faint",
  accent: "--accent",
  data: "--flow-data",
  watermark: "--flow-watermark",
  barrier: "--flow-barrier",
  end: "--flow-end",
  sending: "--state-sending",
  failed: "--state-failed",
  fillStarting: "--fill-starting",
  fillPolling: "--fill-polling",
  fillReceiving: "--fill-receiving",
  fillWorking: "--fill-working",
  fillSending: "--fill-sending",
  fillBarrier: "--fill-barrier",
  fillCommit: "--fill-commit",
  fillDone: "--fill-done",
  fillFailed: "--fill-failed",
  sans: "--font-sans",
  mono: "--font-mono",
} as const;

export type Palette = Readonly<Record<keyof typeof TOKENS, string>>;

let current: Palette | undefined;

export function palette(): Palette {
  current ??= readPalette();
  return current;
}

function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const entries = Object.entries(TOKENS).map(([name, token]) => [name, style.getPropertyValue(token).trim()]);
  return Object.fromEntries(entries) as Palette;
}

/** Calls back when the theme changed; what `palette` answers is new from then on. Answers how to stop. */
export function onPaletteChange(changed: () => void): () => void {
  const observer = new MutationObserver(() => {
    current = undefined;
    changed();
  });
  observer.observe(document.documentElement, { attributeFilter: ["data-mantine-color-scheme"] });
  return () => observer.disconnect();
}

/** The stripes are the same again after so many pixels. */
export const HATCH_SIZE = 5;

/** Slanting stripes of the barrier's colour: what is held behind a barrier. */
export function hatch(context: CanvasRenderingContext2D, colours: Palette): CanvasPattern | string {
  const known = hatches.get(colours);
  if (known !== undefined) return known;
  const made = makeHatch(context, colours);
  hatches.set(colours, made);
  return made;
}

const hatches = new WeakMap<Palette, CanvasPattern | string>();

function makeHatch(context: CanvasRenderingContext2D, { barrier }: Palette): CanvasPattern | string {
  const size = HATCH_SIZE;
  const tile = document.createElement("canvas");
  tile.width = tile.height = size * 4;
  const ink = tile.getContext("2d");
  if (ink === null) return barrier;
  ink.scale(4, 4);
  ink.strokeStyle = barrier;
  ink.lineWidth = 1.7;
  for (const shift of [-size, 0, size]) {
    ink.moveTo(shift - 1, size + 1);
    ink.lineTo(shift + size + 1, -1);
  }
  ink.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(0.25));
  return pattern ?? barrier;
}
