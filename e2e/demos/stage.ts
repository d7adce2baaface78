import { test as base, expect, type Page } from "@playwright/test";
import { type Recorder, record } from "./recorder.ts";

/** How many times as long as written a demo stops to be read; 0 when the demos run as tests. */
const PACE = Number(process.env["WEIR_DEMO_PACE"] ?? 0);
const RECORDINGS = process.env["WEIR_DEMO_RECORDINGS"];

/** A demo's page, and the words said to it. */
export class Stage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(graph: object): Promise<void> {
    await this.page.goto("./?theme=dark");
    await expect(this.page.getByRole("application", { name: "Graph canvas" })).toBeVisible();
    await this.page.evaluate((document) => window.weir.load(document), graph);
  }

  /** Shows a sentence, and waits until it can have been read. */
  async say(text: string): Promise<void> {
    if (PACE === 0) return;
    await this.page.evaluate(showCaption, text);
    await this.look(1.5 + text.length / 18);
  }

  async look(seconds: number): Promise<void> {
    if (PACE > 0) await this.page.waitForTimeout(seconds * 1000 * PACE);
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).click();
  }

  async openTab(list: "Inspector" | "Drawer", name: RegExp): Promise<void> {
    await this.page.getByRole("tablist", { name: list }).getByRole("tab", { name }).click();
  }

  async select(node: RegExp): Promise<void> {
    await this.page.getByRole("article", { name: node }).click();
  }
}

/** In the page. A line of text over its lower edge. */
function showCaption(text: string): void {
  const id = "demo-caption";
  const caption = document.getElementById(id) ?? document.body.appendChild(document.createElement("div"));
  caption.id = id;
  caption.textContent = text;
  Object.assign(caption.style, {
    position: "fixed",
    zIndex: "9999",
    left: "50%",
    bottom: "24px",
    transform: "translateX(-50%)",
    maxWidth: "70ch",
    padding: "12px 20px",
    borderRadius: "10px",
    background: "rgb(255 255 255 / 95%)",
    color: "#18212c",
    font: "500 17px/1.4 system-ui, sans-serif",
    boxShadow: "0 8px 40px rgb(0 0 0 / 45%)",
    pointerEvents: "none",
  });
}

/** A test with a stage, recorded when that is asked for. */
export const demo = base.extend<{ stage: Stage }>({
  stage: async ({ page }, use, { title }) => {
    const recorder: Recorder | undefined = RECORDINGS === undefined ? undefined : await record(page);
    await use(new Stage(page));
    await recorder?.end(`${RECORDINGS}/${title.replaceAll(/\W+/g, "-")}.webm`);
  },
});
