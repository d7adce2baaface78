import { expect, type Locator, type Page } from "@playwright/test";

/** What the tests do again and again on the page, in terms of roles and test ids (docs/automation.md). */
export class Workbench {
  readonly page: Page;
  readonly canvas: Locator;
  /** What the page complained about; a test that allows none asserts that it is empty. */
  readonly complaints: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.canvas = page.getByTestId("canvas");
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    // Choosers are intercepted from the start: what is asked for when the key is pressed comes too late now and then.
    page.on("filechooser", () => {});
    page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`./${query}`);
    await expect(this.canvas).toBeVisible();
  }

  node(id: string): Locator {
    return this.page.getByTestId(`node-${id}`);
  }

  edge(id: string): Locator {
    return this.page.getByTestId(`edge-${id}`);
  }

  port(node: string, side: "in" | "out", port: string): Locator {
    return this.page.getByTestId(`port-${node}-${side}-${port}`);
  }

  get nodes(): Locator {
    return this.page.locator("[data-node]");
  }

  get edges(): Locator {
    return this.page.locator(".react-flow__edge");
  }

  field(path: string): Locator {
    return this.page.getByTestId(`field-${path}`);
  }

  async undo(): Promise<void> {
    await this.page.keyboard.press("ControlOrMeta+z");
  }

  async redo(): Promise<void> {
    await this.page.keyboard.press("ControlOrMeta+Shift+z");
  }

  /** Drags a kind from the palette; `at` is relative to the canvas. */
  async drop(kind: string, at: { x: number; y: number }): Promise<void> {
    await this.page.getByTestId(`palette-${kind}`).dragTo(this.canvas, { targetPosition: at });
  }

  /** Draws an edge with the pointer, from the output of one node to the input of another. */
  async draw(from: string, to: string, ports: { from?: string; to?: string } = {}): Promise<void> {
    await this.port(from, "out", ports.from ?? "out").hover();
    await this.page.mouse.down();
    await this.port(to, "in", ports.to ?? "in").hover();
    await this.page.mouse.up();
  }

  /** Opens a graph from its text, as a file that was chosen. */
  async openFile(name: string, content: string | Buffer): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.page.keyboard.press("ControlOrMeta+o");
    await (await chooser).setFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
  }

  /** Adds a node through the search that Tab opens on the canvas. */
  async addByKeyboard(words: string): Promise<void> {
    await this.canvas.focus();
    await this.page.keyboard.press("Tab");
    await expect(this.page.getByRole("combobox", { name: "Add a node" })).toBeFocused();
    await this.page.keyboard.type(words);
    await this.page.keyboard.press("Enter");
  }

  async saved(): Promise<void> {
    await expect(this.page.getByTestId("save-state")).toHaveText("saved");
  }
}

/** A small graph that can run. */
export const SMALL = {
  format: "weir.graph/v1",
  name: "small",
  nodes: [
    {
      id: "rows",
      kind: "source.rows",
      config: {
        schema: [
          { name: "customer", type: "utf8" },
          { name: "amount", type: "int64" },
        ],
        rows: [["ada", 3]],
      },
      ui: { x: 0, y: 0 },
    },
    { id: "slow", kind: "throttle", name: "Slow", config: { rowsPerSecond: 100 }, ui: { x: 280, y: 0 } },
    { id: "table", kind: "sink.table", ui: { x: 560, y: 0 } },
  ],
  edges: [
    { id: "e1", from: "rows", to: "slow" },
    { id: "e2", from: "slow", to: "table" },
  ],
};
