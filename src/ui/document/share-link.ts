import { deflateSync, Inflate, strFromU8, strToU8 } from "fflate";
import { writeJson } from "../../engine/index.ts";
import type { GraphDocument } from "./graph.ts";

/** `#graph=1.…`: the document's JSON, deflated, base64url. The hash never reaches a server. */
const PREFIX = "#graph=1.";

/** Longer links are cut by chat programs and mail; attached data that makes one longer is left out of it. */
export const LINK_LIMIT = 32_000;

/** A link may unfold to this much text: more is no graph but an attack on memory. */
export const UNFOLDED_LIMIT = 32 * 1024 * 1024;

export interface ShareLink {
  readonly hash: string;
  /** Attached files that the link had no room for. */
  readonly leftOut: readonly string[];
}

export function shareLink(graph: GraphDocument): ShareLink {
  const whole = encode(graph);
  const files = Object.keys(graph.data ?? {});
  if (whole.length <= LINK_LIMIT || files.length === 0) return { hash: whole, leftOut: [] };
  const { data: _, ...rest } = graph;
  return { hash: encode(rest), leftOut: files };
}

/** Whether the hash claims to hold a graph. */
export const isShareHash = (hash: string): boolean => hash.startsWith("#graph=");

/**
 * The text of the graph in the hash.
 *
 * @throws Error whose message says what is wrong with the link
 */
export function textOfShareHash(hash: string): string {
  if (!hash.startsWith(PREFIX)) throw new Error("the link was made by a newer version of Weir");
  const bytes = fromBase64Url(hash.slice(PREFIX.length));
  return strFromU8(inflateWithin(bytes, UNFOLDED_LIMIT));
}

function encode(graph: GraphDocument): string {
  return PREFIX + toBase64Url(deflateSync(strToU8(writeJson(graph)), { level: 9 }));
}

function inflateWithin(bytes: Uint8Array, limit: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let ended = false;
  const inflate = new Inflate((chunk, final) => {
    size += chunk.length;
    if (size > limit) throw new Error("the link unfolds to more than a graph can be");
    chunks.push(chunk);
    ended = final;
  });
  // In small pieces: each unfolds at most a thousandfold, so the limit strikes before memory is gone.
  const piece = 4096;
  try {
    for (let at = 0; at < bytes.length; at += piece)
      inflate.push(bytes.subarray(at, at + piece), at + piece >= bytes.length);
  } catch (error) {
    if (size > limit) throw error;
    throw new Error("the link is damaged");
  }
  if (!ended) throw new Error("the link is cut off");
  const whole = new Uint8Array(size);
  chunks.reduce((at, chunk) => {
    whole.set(chunk, at);
    return at + chunk.length;
  }, 0);
  return whole;
}

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text)) throw new Error("the link is damaged");
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    throw new Error("the link is damaged");
  }
}
