import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "../data/text.ts";
import { AttachedFiles } from "./attached-files.ts";
import { MemoryFiles } from "./memory-files.ts";

describe("files in memory", () => {
  it("are created, renamed, listed and removed like those of a disk", async () => {
    const files = new MemoryFiles({ "./data/a.csv": encodeUtf8("a") });
    const file = files.create("out/.b.csv");
    file.write(encodeUtf8("1"));
    file.write(encodeUtf8("23"));
    files.rename("out/.b.csv", "out/b.csv");
    files.create("out/deep/c").close();
    expect(files.list("out")).toEqual(["b.csv"]);
    expect(files.list("./out/")).toEqual(["b.csv"]);
    expect(files.list("nowhere")).toEqual([]);
    expect(files.list("")).toEqual([]);
    expect(files.paths).toEqual(["data/a.csv", "out/b.csv", "out/deep/c"]);
    const open = await files.open("out//b.csv");
    expect(open.size).toBe(3);
    expect(await open.read(1, 10)).toEqual(encodeUtf8("23"));
    files.remove("out/b.csv");
    files.remove("out/b.csv");
    expect(files.bytes("out/b.csv")).toBeUndefined();
  });

  it("written bytes are the file's own", () => {
    const files = new MemoryFiles();
    const bytes = encodeUtf8("ab");
    files.create("f").write(bytes);
    bytes.fill(0);
    expect(files.bytes("f")).toEqual(encodeUtf8("ab"));
  });

  it("one that is not there is an error that names it and those that are", async () => {
    const files = new MemoryFiles({ "a.csv": encodeUtf8("a") });
    await expect(files.open("b.csv")).rejects.toMatchObject({
      data: { code: "file-not-found", file: "b.csv", hint: "the files are a.csv" },
    });
    expect(() => files.rename("b.csv", "c.csv")).toThrow("there is no file b.csv");
  });
});

describe("attached files", () => {
  const below = new MemoryFiles({ "a.csv": encodeUtf8("below") });
  const files = new AttachedFiles(
    {
      "a.csv": { encoding: "text", content: "ä" },
      "b.arrow": { encoding: "base64", content: "AP8\n=" },
      broken: { encoding: "base64", content: "?" },
    },
    below,
  );
  const read = async (path: string) => (await files.open(path)).read(0, 100);

  it("may be of any size", async () => {
    const bytes = 9_000_000;
    const large = new AttachedFiles({ large: { encoding: "base64", content: "AAAA".repeat(bytes / 3) } }, below);
    expect((await large.open("attached:large")).size).toBe(bytes);
  });

  it("are read by attached:NAME, as text or base64, and every other path is the store's below", async () => {
    expect(await read("attached:a.csv")).toEqual(encodeUtf8("ä"));
    expect(await read("attached:b.arrow")).toEqual(Uint8Array.of(0, 255));
    expect(await read("a.csv")).toEqual(encodeUtf8("below"));
  });

  it("that are not there, or broken, are errors with a remedy", async () => {
    await expect(read("attached:c.csv")).rejects.toMatchObject({
      data: { code: "file-not-found", hint: "the attached files are a.csv, b.arrow, broken" },
    });
    await expect(read("attached:constructor")).rejects.toMatchObject({ data: { code: "file-not-found" } });
    await expect(read("attached:broken")).rejects.toMatchObject({ data: { code: "file-unreadable" } });
  });

  it("are never written", () => {
    expect(() => files.create("attached:x")).toThrow("an attached file cannot be written");
    expect(() => files.remove("attached:a.csv")).toThrow();
    expect(() => files.rename("a.csv", "attached:x")).toThrow();
    expect(files.list("attached:")).toEqual([]);
    files.create("new.csv").write(encodeUtf8("1"));
    files.rename("new.csv", "newer.csv");
    expect(files.list("")).toEqual(["a.csv", "newer.csv"]);
    files.remove("newer.csv");
    expect(below.paths).toEqual(["a.csv"]);
  });
});
