import { expect, test } from "@playwright/test";
import { SMALL, Workbench } from "./workbench.ts";

const without = (key: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(SMALL).filter(([each]) => each !== key));

/** What a file may hold, and a word of what the page says to it (P-61). */
const MALFORMED: readonly (readonly [what: string, content: string, says: string])[] = [
  [
    "an edge to an unknown node",
    JSON.stringify({ ...SMALL, edges: [{ id: "e", from: "rows", to: "nowhere" }] }),
    "there is no node",
  ],
  [
    "two nodes with one id",
    JSON.stringify({ ...SMALL, nodes: [...SMALL.nodes, SMALL.nodes[0]] }),
    "there are two nodes",
  ],
  ["an unknown kind", JSON.stringify({ ...SMALL, nodes: [{ id: "x", kind: "windw" }], edges: [] }), "there is no kind"],
  ["a position that is no number", JSON.stringify(SMALL).replace('"x":0', '"x":NaN'), "NaN is no value"],
  ["nesting 100,000 deep", "[".repeat(100_000), "nested"],
  ["a newer version", JSON.stringify({ ...SMALL, format: "weir.graph/v9" }), "newer"],
  ["nothing", "", "empty"],
  ["HTML", "<!doctype html><title>Login</title>", "HTML"],
  ["no format", JSON.stringify(without("format")), "format"],
  ["a misspelt field", JSON.stringify({ ...SMALL, setings: {} }), "setings"],
  ["a list of nodes that is none", JSON.stringify({ ...SMALL, nodes: 7 }), "must be a list"],
];

test.describe("malformed files (P-61)", () => {
  test("each is refused with what is wrong, and the open graph is untouched", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open();
    await bench.openFile("small.json", JSON.stringify(SMALL));
    await expect(bench.nodes).toHaveCount(3);
    for (const [what, content, says] of MALFORMED) {
      await bench.openFile(`${what}.json`, content);
      const dialog = page.getByTestId("refused");
      await expect(dialog, what).toContainText(says);
      await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
      await expect(dialog).toBeHidden();
      await expect(bench.nodes, what).toHaveCount(3);
    }
    expect(bench.complaints).toEqual([]);
  });

  test("what can be repaired is offered repaired", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open();
    await bench.openFile("twins.json", JSON.stringify({ ...SMALL, nodes: [...SMALL.nodes, SMALL.nodes[0]] }));
    await page.getByTestId("open-repaired").click();
    await expect(bench.nodes).toHaveCount(4);
  });

  test("a missing position is given, an unknown port is shown as a problem, and the same file opens twice", async ({
    page,
  }) => {
    const bench = new Workbench(page);
    await bench.open();
    const graph = {
      ...SMALL,
      nodes: SMALL.nodes.map(({ ui: _, ...node }) => node),
      edges: [SMALL.edges[0], { id: "e2", from: { node: "slow", port: "bad" }, to: "table" }],
    };
    for (const _ of [1, 2]) {
      await bench.openFile("draft.json", JSON.stringify(graph));
      await expect(bench.nodes).toHaveCount(3);
      await expect(bench.edges).toHaveCount(2);
      await page.getByTestId("drawer-tab-problems").click();
      await expect(page.getByTestId("problems")).toContainText('no output "bad"');
    }
    const boxes = await bench.nodes.evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().x));
    expect(new Set(boxes).size).toBe(3);
  });
});

test.describe("keeping work", () => {
  test("a reload brings the graph back, also at once after an edit", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open();
    await bench.openFile("small.json", JSON.stringify(SMALL));
    await expect(bench.nodes).toHaveCount(3);
    await bench.saved();
    await page.reload();
    await expect(bench.nodes).toHaveCount(3);
    await bench.node("slow").click();
    await bench.field("name").fill("Very slow");
    await page.reload();
    await expect(bench.node("slow")).toContainText("Very slow");
  });

  test("a new graph leaves the old one in the list, from where it opens again", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open();
    await bench.openFile("small.json", JSON.stringify(SMALL));
    await expect(bench.nodes).toHaveCount(3);
    await bench.saved();
    await page.getByTestId("document-menu").click();
    await page.getByTestId("document-new").click();
    await expect(bench.nodes).toHaveCount(0);
    await page.getByTestId("document-menu").click();
    await page.getByRole("menuitem", { name: "small" }).click();
    await expect(bench.nodes).toHaveCount(3);
  });

  test("a second tab is told, and can go on without losing what the first one did", async ({ page, context }) => {
    const first = new Workbench(page);
    await first.open();
    await first.openFile("small.json", JSON.stringify(SMALL));
    await expect(first.nodes).toHaveCount(3);
    await first.saved();
    const id = await page.evaluate(() => sessionStorage.getItem("weir:document"));

    const other = await context.newPage();
    await other.addInitScript((value) => sessionStorage.setItem("weir:document", String(value)), id);
    const second = new Workbench(other);
    await second.open();
    await expect(second.nodes).toHaveCount(3);
    await expect(other.getByTestId("elsewhere")).toBeVisible();
    await second.node("slow").click();
    await other.keyboard.press("Delete");
    await expect(second.nodes).toHaveCount(3);

    // The first tab changes something that it has not saved yet when the second takes over.
    await first.node("slow").click();
    await first.field("name").fill("Renamed in the first");
    await other.getByTestId("take-over").click();
    await expect(other.getByTestId("elsewhere")).toBeHidden();
    await expect(second.node("slow")).toContainText("Renamed in the first");
    await expect(page.getByTestId("elsewhere")).toBeVisible();
    await second.node("slow").click();
    await other.keyboard.press("Delete");
    await expect(second.nodes).toHaveCount(2);

    await page.getByTestId("work-on-copy").click();
    await expect(page.getByTestId("elsewhere")).toBeHidden();
    await expect(page.getByTestId("document-menu")).toContainText("(copy)");
    await expect(first.nodes).toHaveCount(3);
  });
});

test.describe("links", () => {
  test("a shared link opens the same graph elsewhere, digits and all (P-02)", async ({ page, browser }) => {
    const bench = new Workbench(page);
    await bench.open();
    const big = JSON.stringify(SMALL).replace('["ada",3]', '["ada",9007199254740993]');
    await bench.openFile("small.json", big);
    await page.getByTestId("share").click();
    const link = await page.getByTestId("share-link").inputValue();
    expect(link).toContain("#graph=1.");

    const elsewhere = await browser.newContext();
    const there = new Workbench(await elsewhere.newPage());
    await there.page.goto(link);
    await expect(there.nodes).toHaveCount(3);
    await there.node("rows").click();
    await expect(there.field("rows.0.1")).toHaveValue("9007199254740993");
    expect(there.page.url()).not.toContain("#graph");
    await there.saved();
    await there.page.reload();
    await expect(there.nodes).toHaveCount(3);
    await elsewhere.close();
  });

  test("a damaged link says so and opens nothing", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open("#graph=1.bm90IGEgZ3JhcGg");
    await expect(page.getByRole("alert")).toContainText("link");
    await expect(page.getByTestId("welcome")).toBeVisible();
  });

  test("?graph= opens a graph of the page's own origin and refuses any other", async ({ page }) => {
    const bench = new Workbench(page);
    await page.route("**/small.json", (route) => route.fulfill({ json: SMALL }));
    await bench.open("?graph=small.json");
    await expect(bench.nodes).toHaveCount(3);
    await bench.open("?graph=https://example.com/other.json");
    // The graph that was left may be told, too: it is brought back where it was not stored in time.
    await expect(page.getByRole("alert").filter({ hasText: "own address" })).toBeVisible();
  });

  test("?embed shows the canvas alone, ?theme= chooses the theme", async ({ page }) => {
    const bench = new Workbench(page);
    await page.route("**/small.json", (route) => route.fulfill({ json: SMALL }));
    await bench.open("?embed&theme=dark&graph=small.json");
    await expect(bench.nodes).toHaveCount(3);
    await expect(page.getByTestId("top-bar")).toHaveCount(0);
    await page.getByTestId("run").click();
    await expect(page.getByTestId("run-life")).toHaveText("Finished");
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  });
});

test.describe("data files", () => {
  const CSV = "customer,amount\nada,3\ngrace,4\n";

  test("a chosen CSV becomes a source, and one undo takes source and file away again", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open();
    await bench.openFile("orders.csv", CSV);
    await bench.node("file").click();
    await expect(bench.field("path")).toHaveValue("attached:orders.csv");
    await expect(bench.field("schema.1.name")).toHaveValue("amount");
    await expect(page.getByRole("combobox", { name: "Type of amount" })).toHaveValue("int64");
    await bench.undo();
    await expect(bench.nodes).toHaveCount(0);
    await expect(page.getByTestId("undo")).toBeDisabled();
  });

  test("a dropped file lands where it is dropped; on a file source it feeds that", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open();
    const drop = async (name: string, target: string) => {
      const transfer = await page.evaluateHandle(
        ([file, content]) => {
          const data = new DataTransfer();
          data.items.add(new File([content as string], file as string));
          return data;
        },
        [name, CSV],
      );
      const box = await page.locator(target).boundingBox();
      if (box === null) throw new Error(`${target} is not there`);
      const place = { clientX: box.x + box.width / 2, clientY: box.y + 20, dataTransfer: transfer };
      await page.dispatchEvent(target, "dragover", place);
      await page.dispatchEvent(target, "drop", place);
    };
    await drop("orders.csv", '[data-testid="canvas"]');
    await expect(bench.nodes).toHaveCount(1);
    await drop("more.csv", '[data-testid="node-file"]');
    await bench.node("file").click();
    await expect(bench.field("path")).toHaveValue("attached:more.csv");
    await expect(bench.nodes).toHaveCount(1);
  });

  test("columns that a graph leaves out are read from its file, shown, and kept on request", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open();
    await page.getByTestId("example-orders-by-country").click();
    await expect(page.getByTestId("problem-count")).toHaveText("0");
    await bench.node("orders").click();
    await expect(page.getByTestId("file-columns")).toContainText("country");
    await page.getByRole("button", { name: "Keep and edit them" }).click();
    await expect(page.getByLabel("Name of column 1", { exact: true })).not.toHaveValue("");
    await expect(page.getByTestId("problem-count")).toHaveText("0");
    await bench.undo();
    await expect(page.getByTestId("file-columns")).toBeVisible();
  });

  test("a large file stays beside the document, over a reload", async ({ page }) => {
    const bench = new Workbench(page);
    await bench.open();
    await bench.openFile("large.csv", `customer,amount\n${"ada,3\n".repeat(60_000)}`);
    await bench.node("file").click();
    await expect(bench.field("path")).toHaveValue("large.csv");
    await bench.saved();
    await page.reload();
    await bench.node("file").click();
    await bench.field("path").fill("");
    await expect(page.getByRole("option", { name: "large.csv" })).toBeVisible();
  });
});
