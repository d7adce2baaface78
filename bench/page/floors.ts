/**
 * Pages with nothing of Weir, which do what its page cannot do without: what they cost is what this browser takes on this machine
 * for the drawing alone.
 */
export const FLOORS: readonly { readonly name: string; readonly html: string }[] = [
  { name: "a box that moves", html: pageOf(moving()) },
  { name: "a box that moves among 1,000 that do not", html: pageOf(boxes(1000) + moving()) },
  {
    name: "two empty canvases over a page of words",
    html: pageOf(words() + canvas(908, 620, 44) + canvas(1030, 201, 699)),
  },
];

function pageOf(body: string): string {
  return `<!doctype html><style>
    body { margin: 0; font: 11px sans-serif }
    div, canvas { position: absolute }
    .box { width: 22px; height: 8px; border: 1px solid #999; border-radius: 2px; background: #fff }
    #moving { width: 20px; height: 20px; background: #00f }
  </style><body>${body}</body>`;
}

function boxes(count: number): string {
  const box = (i: number) =>
    `<div class="box" style="transform: translate(${200 + (i % 25) * 33}px, ${60 + Math.floor(i / 25) * 18}px)"></div>`;
  return Array.from({ length: count }, (_, i) => box(i)).join("");
}

function moving(): string {
  const move = (box: string) => `${box}.style.transform = "translate(" + (i++ % 200) + "px, 300px)"`;
  return `<div id="moving"></div>${everyFrame("const box = document.getElementById('moving')", move("box"))}`;
}

/** Something in two of its corners changes with every frame: what lies between them is put together anew. */
function canvas(width: number, height: number, top: number): string {
  const id = `canvas${top}`;
  const begin = `const context = document.getElementById("${id}").getContext("2d")`;
  const draw = `context.clearRect(0, 0, ${width}, ${height});
    context.fillRect(i++ % 100, 0, 5, 5);
    context.fillRect(${width} - 5 - (i % 100), ${height} - 5, 5, 5)`;
  const element = `<canvas id="${id}" width="${width}" height="${height}" style="left: 0; top: ${top}px"></canvas>`;
  return element + everyFrame(begin, draw);
}

function everyFrame(begin: string, draw: string): string {
  return `<script>{ let i = 0; ${begin}; const frame = () => { ${draw}; requestAnimationFrame(frame) }; frame() }</script>`;
}

function words(): string {
  return `<div>${Array.from({ length: 3000 }, (_, i) => `word ${i}`).join(" ")}</div>`;
}
