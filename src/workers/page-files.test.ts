import { expect, test } from "vitest";
import { PageFiles } from "./page-files.ts";

/** As a browser has it when the file behind it is gone. */
class GoneBlob extends Blob {
  override slice(): Blob {
    return Object.assign(new Blob(), {
      arrayBuffer: () => Promise.reject(new DOMException("A requested file could not be found", "NotFoundError")),
    });
  }
}

test("a file that was changed or deleted since it was chosen is told by its name, with what to do", async () => {
  const blobs = new Map([["orders.csv", new GoneBlob(["a"])]]);
  const file = await new PageFiles({ blobs }, () => undefined).open("orders.csv");
  await expect(file.read(0, 1)).rejects.toMatchObject({
    data: {
      code: "file-unreadable",
      file: "orders.csv",
      message: "orders.csv can no longer be read: since it was chosen it was changed, moved or deleted",
      hint: "drop the file onto the source again",
    },
  });
});
