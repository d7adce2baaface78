import { describe, expect, it } from "vitest";
import { END, IDLE, type TimeMark, timeMark } from "../base/event-time.ts";
import { edgeId, epoch, taskId } from "../base/ids.ts";
import type { Message } from "../core/messages.ts";
import { messageText } from "../testing/scripted-task.ts";
import { CONTROL_SLOTS } from "../transport/edge.ts";
import { MemoryEdge } from "../transport/memory-edge.ts";
import { Outbox } from "./outbox.ts";

const data = (batch: string): Message<string> => ({ kind: "data", batch });
const wm = (mark: TimeMark | number, source = 0): Message<string> => ({
  kind: "watermark",
  source: taskId(source),
  mark: typeof mark === "number" ? timeMark(mark) : mark,
});
const barrier = (e: number): Message<string> => ({ kind: "barrier", epoch: epoch(e) });
const tick = (nowMs: number): Message<string> => ({ kind: "tick", nowMs });
const eos: Message<string> = { kind: "eos" };

/** An edge of one data slot and an outbox before it. */
function blockable() {
  const edge = new MemoryEdge<string>({ capacity: 1 });
  const box = new Outbox(edgeId(4), edge.writer);
  const read = () => {
    const message = edge.reader.peek();
    edge.reader.release();
    return message === null ? "" : messageText(message);
  };
  /** Reads and flushes in turn until both are empty. */
  const drain = (): string[] => {
    const lines: string[] = [];
    while (edge.reader.peek() !== null || box.flushOne() !== undefined)
      if (edge.reader.peek() !== null) lines.push(read());
    return lines;
  };
  return { edge, box, read, drain };
}

/** An edge that takes nothing: what is sent waits. What comes out when it opens. */
function waiting(...messages: Message<string>[]): string[] {
  const { box, edge, drain } = blockable();
  for (let i = 0; i < 1 + CONTROL_SLOTS; i++) edge.writer.trySend(barrier(0));
  for (const message of messages) expect(box.send(message)).toBe(false);
  return drain().slice(1 + CONTROL_SLOTS);
}

describe("Outbox", () => {
  it("F-3: sends at once while there is room, and keeps the rest in order", () => {
    const { box, read, drain } = blockable();
    expect([box.send(data("a")), box.send(data("b")), box.send(data("c"))]).toEqual([true, false, false]);
    expect([box.isEmpty, box.canFlush, box.head]).toEqual([false, false, data("b")]);
    expect(box.flushOne()).toBeUndefined();
    expect(read()).toBe("data a");
    expect([box.canFlush, box.flushOne(), box.flushOne()]).toEqual([true, data("b"), undefined]);
    expect(drain()).toEqual(["data b", "data c"]);
    expect([box.isEmpty, box.head, box.canFlush]).toEqual([true, undefined, false]);
  });

  it("F-6, P-37: what comes behind something that waits waits too, a barrier as well, and nothing is dropped", () => {
    const { box, drain } = blockable();
    for (const message of [data("a"), data("b"), barrier(1), data("c"), eos]) box.send(message);
    expect(drain()).toEqual(["data a", "data b", "barrier 1", "data c", "eos"]);
  });

  it("D-2: an unsent watermark is replaced by the newest of the same source, also the one that was offered already", () => {
    expect(waiting(wm(1), wm(2), wm(2), wm(5))).toEqual(["wm 5"]);
    expect(waiting(barrier(1), wm(1), wm(3))).toEqual(["barrier 1", "wm 3"]);
    expect(waiting(wm(1, 7), wm(2, 8), wm(3, 8))).toEqual(["wm 1", "wm 3"]);
  });

  it("D-2: an unsent tick is replaced by the newest", () => {
    expect(waiting(tick(100), tick(200), wm(1), tick(300), tick(400))).toEqual(["tick 200", "wm 1", "tick 400"]);
  });

  it("D-2: barriers and Eos are never replaced", () => {
    expect(waiting(barrier(1), barrier(2), barrier(3), eos)).toEqual(["barrier 1", "barrier 2", "barrier 3", "eos"]);
  });

  it("F-6: a watermark does not overtake what stands between it and the older one", () => {
    expect(waiting(wm(1), data("a"), wm(2), barrier(1), wm(3))).toEqual([
      "wm 1",
      "data a",
      "wm 2",
      "barrier 1",
      "wm 3",
    ]);
  });

  it("D-3: idle and END are news of their own: they replace nothing and are replaced by nothing", () => {
    expect(waiting(wm(1), wm(IDLE), wm(2), wm(3), wm(END))).toEqual(["wm 1", "wm idle", "wm 3", "wm end"]);
  });

  it("D-52: a time that goes back does not replace the greater one: the reader hears what it would hear from a faster edge", () => {
    expect(waiting(wm(5), wm(3), wm(4))).toEqual(["wm 5", "wm 4"]);
  });

  it("D-2: control has room where data has none", () => {
    const { box } = blockable();
    expect([box.send(data("a")), box.send(barrier(1)), box.send(wm(1))]).toEqual([true, true, true]);
  });

  it("D-16: what is discarded is not sent", () => {
    const { box, drain } = blockable();
    for (const message of [data("a"), data("b")]) box.send(message);
    box.discard();
    expect([box.isEmpty, drain()]).toEqual([true, ["data a"]]);
  });

  it("D-16: to a closed reader everything is through", () => {
    const { box, edge } = blockable();
    for (const message of [data("a"), data("b"), data("c")]) box.send(message);
    edge.reader.close();
    expect([box.canFlush, box.flushOne(), box.flushOne(), box.isEmpty]).toEqual([true, data("b"), data("c"), true]);
  });
});
