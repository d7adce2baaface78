import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { demo } from "./stage.ts";

interface Example {
  nodes: { id: string; config: Record<string, unknown> }[];
}

/** The example, without its end. */
function endless(): Example {
  const graph = JSON.parse(readFileSync("examples/backpressure.json", "utf8")) as Example;
  const events = graph.nodes.find(({ id }) => id === "events");
  if (events !== undefined) events.config["rows"] = 0;
  return graph;
}

demo("backpressure", async ({ stage }) => {
  const { page } = stage;
  await stage.open(endless());
  await stage.say("A source makes rows as fast as they are taken. The step behind it takes 1,500 a second.");
  await stage.press("Run");
  await page.evaluate(async () => {
    const { weir } = window;
    await weir.waitFor({ rows: { sink: "table", atLeast: 100 } });
    await weir.waitFor({ state: { node: "events", state: "Sending" } });
  });
  await stage.say("The edge between them has four places, and all four are taken. So the source waits: it is Sending.");
  const queued = await page.evaluate(async () => {
    const { weir } = window;
    const edge = (name: string) => weir.probes().edges.find((each) => each.edge === name);
    while (edge("full")?.dataQueued !== edge("full")?.capacity) await new Promise((go) => requestAnimationFrame(go));
    return { before: edge("full")?.capacity, behind: edge("empty")?.dataQueued };
  });
  expect(queued.before).toBe(4);
  expect(queued.behind).toBeLessThan(4);
  await stage.say(
    "Behind the slow step nothing waits. The orange card is the cause; those that wait only point to it.",
  );
  await expect(page.getByRole("article", { name: /^Slow step/ })).toHaveAttribute("data-mark", "slow");

  await stage.select(/^Slow step/);
  await stage.openTab("Inspector", /Metrics/);
  await stage.say("It is at work all the time. No queue grows, no memory fills: that is backpressure.");
  await stage.openTab("Drawer", /Epochs/);
  await page.evaluate(() => window.weir.waitFor({ epochCommitted: 3 }));
  await stage.say("Barriers stand in line with the data, so an epoch takes as long as the batches in front of it.");

  await stage.press("Stop");
  const { kind } = await page.evaluate(() => window.weir.outcome());
  expect(kind).toBe("stopped");
  await stage.openTab("Drawer", /Output/);
  await stage.say("Stopped with a last epoch: every row that was taken is in the table, once.");
});
