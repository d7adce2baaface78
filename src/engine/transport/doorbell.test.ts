import { afterEach, describe, expect, it } from "vitest";
import { Doorbell } from "./doorbell.ts";
import { type HostRegion, layoutRun } from "./ring-layout.ts";

/** Two views of one host's bell: the host's own, and a waker's. */
function bells(): [host: Doorbell, waker: Doorbell] {
  const layout = layoutRun({ edges: [], hosts: 1, ringBudgetMiB: 1, probeBytes: 0 });
  const buffer = new SharedArrayBuffer(layout.totalBytes);
  const region = layout.hosts[0] as HostRegion;
  return [new Doorbell(buffer, region), new Doorbell(buffer, region)];
}

const { waitAsync } = Atomics;
afterEach(() => Object.assign(Atomics, { waitAsync }));

describe("doorbell", () => {
  it("does not sleep when there is something to do", () => {
    const [host] = bells();
    expect(host.sleep(() => true)).toBe("ready");
  });

  it("P-12: a ring between the last look and the wait ends the wait", () => {
    const [host, waker] = bells();
    let looks = 0;
    const ready = (): boolean => {
      looks += 1;
      waker.ring();
      return false;
    };
    expect([host.sleep(ready), looks]).toEqual(["rung", 1]);
  });

  it("looks as often as it is told before it announces the sleep, and once after", () => {
    const [host] = bells();
    let looks = 0;
    host.sleep(() => ++looks > 6, 250, 6);
    expect(looks).toBe(7);
  });

  it("P-12: nobody is woken by a ring that came while the host was awake: what it told was found by the look after", () => {
    const [host, waker] = bells();
    waker.ring();
    expect(host.sleep(() => false, 1)).toBe("timed-out");
  });

  it("is awake again after a sleep, also when looking failed", () => {
    const [host, waker] = bells();
    expect(() =>
      host.sleep(() => {
        throw new Error("broken");
      }),
    ).toThrow("broken");
    waker.ring();
    expect(host.sleep(() => false, 1)).toBe("timed-out");
  });

  for (const [how, without] of [
    ["by Atomics.waitAsync", false],
    ["by looking now and then where that is missing", true],
  ] as const) {
    it(`sleeps without blocking its thread ${how}`, async () => {
      if (without) Object.assign(Atomics, { waitAsync: undefined });
      const [host, waker] = bells();
      expect(await host.sleepAsync(() => true)).toBe("ready");
      const asleep = host.sleepAsync(() => false);
      queueMicrotask(() => waker.ring());
      expect(await asleep).toBe("rung");
      expect(await host.sleepAsync(() => false, 2)).toBe("timed-out");
      const early = host.sleepAsync(() => {
        waker.ring();
        return false;
      });
      expect(await early).toBe("rung");
    });
  }
});
