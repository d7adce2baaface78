import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeUtf8 } from "../../engine/data/text.ts";
import { FolderFiles } from "./file-store.ts";
import { openFiles } from "./files.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-files-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("files of a folder", () => {
  it("are read from any place, by a path relative to the folder or an absolute one", async () => {
    writeFileSync(join(folder, "a.txt"), "0123456789");
    const files = new FolderFiles(folder);
    for (const path of ["a.txt", "./a.txt", join(folder, "a.txt")]) {
      const file = await files.open(path);
      expect([file.name, file.size]).toEqual([path, 10]);
      expect(await file.read(3, 4)).toEqual(encodeUtf8("3456"));
      expect(await file.read(8, 100)).toEqual(encodeUtf8("89"));
      expect(await file.read(50, 4)).toEqual(new Uint8Array(0));
      await file.close();
    }
  });

  it("are opened again by a read after they were closed", async () => {
    writeFileSync(join(folder, "c.txt"), "0123");
    const file = await new FolderFiles(folder).open("c.txt");
    const reading = file.read(1, 2);
    await file.close();
    expect(await reading).toEqual(encodeUtf8("12"));
    expect(await file.read(0, 9)).toEqual(encodeUtf8("0123"));
    await file.close();
    await file.close();
  });

  it("are written with their folders, synced, renamed over others, listed and removed", () => {
    const files = new FolderFiles(folder);
    const file = files.create("deep/er/.part");
    file.write(encodeUtf8("ab"));
    file.write(encodeUtf8("c"));
    file.sync();
    file.close();
    file.close();
    writeFileSync(join(folder, "deep/er/part"), "old");
    files.rename("deep/er/.part", "deep/er/part");
    expect(readFileSync(join(folder, "deep/er/part"), "utf8")).toBe("abc");
    mkdirSync(join(folder, "deep/er/folder"));
    expect(files.list("deep/er")).toEqual(["part"]);
    expect(files.list("nowhere")).toEqual([]);
    files.remove("deep/er/part");
    files.remove("deep/er/part");
    expect(files.list("deep/er")).toEqual([]);
  });

  it("that are not there, or are no files, are errors that name them", async () => {
    const files = new FolderFiles(folder);
    await expect(files.open("missing.csv")).rejects.toMatchObject({
      data: { code: "file-not-found", file: "missing.csv", hint: `it was looked for in ${folder}` },
    });
    mkdirSync(join(folder, "sub"), { recursive: true });
    writeFileSync(join(folder, "plain"), "");
    expect(() => files.list("plain")).toThrow("the path is a file, not a folder");
    await expect(files.open("sub")).rejects.toMatchObject({ data: { code: "file-unreadable", file: "sub" } });
    expect(() => files.create("sub")).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ code: "file-unwritable", file: "sub" }) }),
    );
    expect(() => files.rename("missing.csv", "x")).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ code: "file-unwritable" }) }),
    );
  });

  it.runIf(existsSync("/proc/self"))("below a folder that takes none are refused, not tried for ever", () => {
    expect(() => new FolderFiles("/proc").create("no-such/folder/out.csv")).toThrow(
      expect.objectContaining({
        data: expect.objectContaining({ code: "file-unwritable", file: "no-such/folder/out.csv" }),
      }),
    );
  });

  it("serve what a document carries beside them", async () => {
    const files = openFiles({ folder, attached: { "x.csv": { encoding: "text", content: "a\n" } } });
    expect(await (await files.open("attached:x.csv")).read(0, 10)).toEqual(encodeUtf8("a\n"));
    writeFileSync(join(folder, "b.txt"), "b");
    const file = await files.open("b.txt");
    expect(await file.read(0, 10)).toEqual(encodeUtf8("b"));
    await file.close();
  });
});

describe("a pipe", () => {
  it("is read on in blocks that are full up to its end, whatever pieces it comes in", async () => {
    const path = join(folder, "pipe");
    execFileSync("/usr/bin/env", ["mkfifo", path]);
    const script = `const fs = require("node:fs"); const fd = fs.openSync(${JSON.stringify(path)}, "w");
      for (let n = 0; n < 50; n++) fs.writeSync(fd, String(n % 10).repeat(7));`;
    const child = spawn(process.execPath, ["-e", script], { stdio: "inherit" });
    const file = await new FolderFiles(folder).open("pipe");
    const all = Array.from({ length: 50 }, (_, n) => String(n % 10).repeat(7)).join("");
    const text = async (offset: number, length: number) => Buffer.from(await file.read(offset, length)).toString();
    expect(file.size).toBeUndefined();
    expect(await text(0, 100)).toBe(all.slice(0, 100));
    // Passes over what lies between.
    expect(await text(150, 50)).toBe(all.slice(150, 200));
    await expect(file.read(10, 5)).rejects.toMatchObject({ data: { code: "file-unreadable" } });
    const [next, last] = await Promise.all([text(200, 60), text(260, 1000)]);
    expect(next + last).toBe(all.slice(200));
    expect(await text(350, 10)).toBe("");
    await file.close();
    child.kill();
  });
});
