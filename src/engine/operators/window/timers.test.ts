import fc from "fast-check";
import { expect, it } from "vitest";
import { fuzz } from "../../testing/fuzz.ts";
import { Timers } from "./timers.ts";

it("timers are taken in order of time, each as it was set last, however often they are set, cancelled and taken", () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("set" as const),
      slot: fc.integer({ min: 1, max: 30 }),
      at: fc.integer({ min: -9, max: 99 }),
    }),
    fc.record({ kind: fc.constant("cancel" as const), slot: fc.integer({ min: 1, max: 40 }), at: fc.constant(0) }),
    fc.record({ kind: fc.constant("take" as const), slot: fc.constant(0), at: fc.integer({ min: -9, max: 60 }) }),
  );
  fuzz(
    fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
      const timers = new Timers();
      const model = new Map<number, number>();
      for (const { kind, slot, at } of [...steps, { kind: "take" as const, slot: 0, at: 100 }]) {
        if (kind === "set") {
          timers.set(slot, at);
          model.set(slot, at);
        } else if (kind === "cancel") {
          timers.cancel(slot);
          model.delete(slot);
        } else {
          const times: number[] = [];
          for (let taken = timers.takeBefore(at); taken !== 0; taken = timers.takeBefore(at)) {
            times.push(model.get(taken) as number);
            model.delete(taken);
          }
          expect(times).toEqual([...times].sort((a, b) => a - b));
          expect([...model.values()].filter((each) => each < at)).toEqual([]);
        }
      }
    }),
    60,
  );
});
