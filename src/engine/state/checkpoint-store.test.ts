import { describe, expect, it } from "vitest";
import { END, IDLE, timeMark } from "../base/event-time.ts";
import { epoch } from "../base/ids.ts";
import { MemoryFiles } from "../formats/memory-files.ts";
import type { Checkpoint, StageState } from "./checkpoint.ts";
import { CheckpointStore } from "./checkpoint-store.ts";
import { encodeSnapshot } from "./snapshot-codec.ts";

const stages: StageState[] = [
  { state: Uint8Array.of(1, 2, 255), time: { fired: -5, said: timeMark(7), saidMs: 7 } },
  { state: null, time: { fired: undefined, said: undefined, saidMs: undefined } },
  { state: Uint8Array.of(), time: { fired: 3, said: IDLE, saidMs: 3 } },
  { state: null, time: { fired: 9, said: END, saidMs: undefined } },
];

const checkpoint = (number: number): Checkpoint => ({
  lineage: "l",
  graph: "naïve",
  epoch: epoch(number),
  vnodes: 128,
  settled: false,
  nodes: [{ node: "n", kind: "window", config: "{}", inputs: "{}", routes: "in: forward", subtasks: stages }],
});

const none = (): never => {
  throw new Error("nothing is passed over");
};

describe("checkpoints in a folder", () => {
  it("D-14: come back as they were", async () => {
    const store = new CheckpointStore(new MemoryFiles(), "cp/", 3);
    store.save(checkpoint(4));
    expect(await store.load(epoch(4))).toStrictEqual(checkpoint(4));
    expect(await store.latest(none)).toStrictEqual(checkpoint(4));
  });

  it("P-26: the newest are kept, as many as are to be kept, and told by their number, not by their text", async () => {
    const files = new MemoryFiles({ "cp/notes.txt": Uint8Array.of(1) });
    const store = new CheckpointStore(files, "cp", 2);
    for (const number of [8, 9, 10, 11]) store.save(checkpoint(number));
    expect(store.epochs()).toEqual([10, 11]);
    expect(files.paths).toEqual(["cp/checkpoint-10.weir", "cp/checkpoint-11.weir", "cp/notes.txt"]);
  });

  it("P-26: one that was half written is not found, nor does it cost the ones before", async () => {
    class FullDisk extends MemoryFiles {
      full = false;
      override rename(from: string, to: string): void {
        if (this.full) throw new Error("no space left");
        super.rename(from, to);
      }
    }
    const files = new FullDisk();
    const store = new CheckpointStore(files, "cp", 1);
    store.save(checkpoint(1));
    files.full = true;
    expect(() => store.save(checkpoint(2))).toThrow("no space left");
    files.full = false;
    expect(store.epochs()).toEqual([1]);
    store.save(checkpoint(3));
    expect(files.paths).toEqual(["cp/checkpoint-3.weir"]);
  });

  it("A-70: a damaged one is passed over for the one before, and said; where none can be read the newest says why", async () => {
    const files = new MemoryFiles();
    const store = new CheckpointStore(files, "cp", 3);
    store.save(checkpoint(1));
    store.save(checkpoint(2));
    damage(files, "cp/checkpoint-2.weir");
    const passed: string[] = [];
    expect((await store.latest((of, why) => passed.push(`${of}: ${why}`)))?.epoch).toBe(1);
    expect(passed).toEqual(["2: the snapshot is damaged: its checksum is wrong"]);
    damage(files, "cp/checkpoint-1.weir");
    await expect(store.latest(() => undefined)).rejects.toMatchObject({
      data: { code: "snapshot-damaged", file: "cp/checkpoint-2.weir", hint: expect.stringContaining("begin anew") },
    });
  });

  it("A-70: without any there is nothing to go on from, which is no error", async () => {
    expect(await new CheckpointStore(new MemoryFiles(), "cp", 3).latest(none)).toBeUndefined();
  });

  it("a snapshot that is no checkpoint is refused", async () => {
    const files = new MemoryFiles();
    const store = new CheckpointStore(files, "cp", 3);
    const file = files.create("cp/checkpoint-1.weir");
    file.write(encodeSnapshot({ format: "weir.checkpoint/v9" }));
    file.close();
    await expect(store.load(epoch(1))).rejects.toMatchObject({ data: { code: "no-checkpoint" } });
  });

  it("D-14: going back to an older one forgets the newer ones", () => {
    const store = new CheckpointStore(new MemoryFiles(), "cp", 5);
    for (const number of [1, 2, 3]) store.save(checkpoint(number));
    store.forgetAfter(epoch(2));
    expect(store.epochs()).toEqual([1, 2]);
  });
});

function damage(files: MemoryFiles, path: string): void {
  const bytes = (files.bytes(path) as Uint8Array).slice();
  bytes[20] = (bytes[20] as number) ^ 1;
  const file = files.create(path);
  file.write(bytes);
  file.close();
}
