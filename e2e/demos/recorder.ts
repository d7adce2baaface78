import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Page } from "@playwright/test";

export interface Recorder {
  /** Writes what was recorded as WebM. */
  end(path: string): Promise<void>;
}

/** What the recording page has among its globals. */
interface Studio {
  show(jpeg: string): Promise<void>;
  end(): Promise<string>;
}

/** Records a page with the browser's own encoder, since Playwright's recorder needs a program of its own beside the browser. */
export async function record(page: Page): Promise<Recorder> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  const studio = await page.context().newPage();
  await studio.evaluate(openStudio, size);
  await page.bringToFront();
  const session = await page.context().newCDPSession(page);
  session.on("Page.screencastFrame", async ({ data, sessionId }) => {
    try {
      await studio.evaluate((jpeg) => (globalThis as unknown as { studio: Studio }).studio.show(jpeg), data);
      await session.send("Page.screencastFrameAck", { sessionId });
    } catch {
      // A frame that comes when the recording has ended.
    }
  });
  await session.send("Page.startScreencast", {
    format: "jpeg",
    quality: 92,
    maxWidth: size.width,
    maxHeight: size.height,
  });
  return {
    end: async (path) => {
      await session.send("Page.stopScreencast");
      const bytes = await studio.evaluate(() => (globalThis as unknown as { studio: Studio }).studio.end());
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, Buffer.from(bytes, "base64"));
      await studio.close();
    },
  };
}

/** In the recording page: pictures go onto a canvas, and what it shows into a recorder. */
function openStudio({ width, height }: { width: number; height: number }): void {
  const canvas = document.body.appendChild(document.createElement("canvas"));
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  const parts: Blob[] = [];
  const recorder = new MediaRecorder(canvas.captureStream(25), {
    mimeType: "video/webm;codecs=vp8",
    videoBitsPerSecond: 6_000_000,
  });
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  recorder.start(1000);
  const studio: Studio = {
    show: async (jpeg) => {
      const blob = await (await fetch(`data:image/jpeg;base64,${jpeg}`)).blob();
      const bitmap = await createImageBitmap(blob);
      context?.drawImage(bitmap, 0, 0, width, height);
      bitmap.close();
    },
    end: async () => {
      recorder.stop();
      await ended;
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return btoa(text);
    },
  };
  Object.assign(globalThis, { studio });
}
