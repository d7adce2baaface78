import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { demo } from "./stage.ts";

interface Example {
  settings: Record<string, unknown>;
  annotations: object[];
  nodes: { id: string; config: Record<string, unknown> }[];
}

/** The example, without its end and its note, and with barriers far enough apart to look at each. */
function endless(): Example {
  const graph = JSON.parse(readFileSync("examples/two-speeds-one-barrier.json", "utf8")) as Example;
  graph.settings["barrierEveryMs"] = 2500;
  graph.annotations = [];
  for (const { id, config } of graph.nodes) {
    if (id === "cards") Object.assign(config, { rows: 0, rowsPerSecond: 300 });
    if (id === "transfers") Object.assign(config, { rows: 0 });
  }
  return graph;
}

demo("a barrier aligns", async ({ stage }) => {
  const { page } = stage;
  await stage.open(endless());
  await stage.say("Card payments come fast; bank transfers go through a slow clearing. Both end up in one ledger.");
  await stage.press("Run");
  await page.evaluate(() => window.weir.waitFor({ aligning: { node: "ledger", held: 1 } }));
  await page.evaluate(() => window.weir.pause());
  await stage.say("Each source has sent a barrier. The one of the cards has reached the ledger and stands as a gate.");
  const [aligning] = await page.evaluate(() => window.weir.probes().aligning);
  if (aligning !== undefined) {
    expect(aligning.delivered).toEqual(["Card payments"]);
    expect(aligning.missing).toEqual(["Clearing"]);
  }
  await stage.say(
    "What comes behind it belongs to the next epoch. It is held, hatched, until the other barrier is here.",
  );
  await stage.say("That one still stands in line at the clearing.");

  await page.evaluate(() => window.weir.resume());
  const epoch = await page.evaluate(async () => {
    const { weir } = window;
    const next = weir.status().completed + 1;
    await weir.waitFor({ epochCommitted: next });
    return next;
  });
  await stage.say(`Both were here: the ledger took its snapshot and went on, and epoch ${epoch} is committed.`);
  await stage.openTab("Drawer", /Epochs/);
  await stage.say("The table tells which task aligned last, and how long it took.");
  await stage.openTab("Drawer", /Timeline/);
  await page.evaluate((next) => window.weir.waitFor({ epochCommitted: next + 1 }), epoch);
  await stage.say("In the timeline a barrier is one line from task to task. Its bend is the slow one.");

  await stage.press("Stop");
  const { kind } = await page.evaluate(() => window.weir.outcome());
  expect(kind).toBe("stopped");
  await stage.say("Stopped with a last epoch.");
});
