import type { MessageKind } from "../../../engine/index.ts";
import type { EdgeNow, RunFrame } from "../../engine-client/run-reader.ts";
import { type Curve, pointAt, slopeAt } from "./curve.ts";
import type { Box, RingPlace } from "./places.ts";
import { drawFlag, drawGate, type Ink, isRound } from "./ring-picture.ts";

interface Token {
  readonly kind: MessageKind;
  /** Grows with the rows of the message. */
  readonly radius: number;
  readonly bornMs: number;
}

interface Way {
  tokens: Token[];
  lastDataMs: number;
}

interface Seen {
  sent: number;
  taken: number;
  rows: number;
  head: MessageKind | undefined;
  readonly before: Way;
  readonly after: Way;
}

const LIFE_MS = 280;
/** More data messages than this would be a blur: a stream of dots is shown, one each so many milliseconds. */
const DATA_EVERY_MS = 70;
const MOST = 5;
/** Half the side of a square as large as the circle of radius 1. */
const SQUARE = Math.sqrt(Math.PI) / 2;

/**
 * Messages on their way into a ring and out of it. Nothing moves unless a message did: a token is born when the count of messages
 * that were sent or taken has grown.
 */
export class Tokens {
  private readonly seen = new Map<number, Seen>();

  /** Looks at what moved since the last frame. */
  follow(frame: RunFrame, nowMs: number): void {
    frame.edges.forEach((edge, id) => {
      const before = this.seen.get(id);
      const taken = edge.messagesSent - edge.queued;
      if (before === undefined) {
        this.seen.set(id, {
          sent: edge.messagesSent,
          taken,
          rows: edge.rowsSent,
          head: edge.kinds[0],
          before: way(),
          after: way(),
        });
        return;
      }
      if (edge.messagesSent > before.sent) add(before.before, kindSent(edge), radiusOf(edge, before), nowMs);
      if (taken > before.taken) add(before.after, before.head ?? "data", radiusOf(edge, before), nowMs);
      before.sent = edge.messagesSent;
      before.taken = taken;
      before.rows = edge.rowsSent;
      before.head = edge.kinds[0];
    });
  }

  /** Some token on its way into the ring or out of it lies on the ring's strip. */
  cover({ edge, box, before, after }: RingPlace, nowMs: number): boolean {
    const seen = this.seen.get(edge);
    return seen !== undefined && (covers(seen.before, before, box, nowMs) || covers(seen.after, after, box, nowMs));
  }

  /** Many rings share the way of one place. */
  drawShared(ink: Ink, rings: readonly number[], { before, after }: RingPlace, nowMs: number): void {
    const seen = rings.flatMap((ring) => this.seen.get(ring) ?? []);
    drawWay(ink, merged(seen.map((each) => each.before)), before, nowMs);
    drawWay(ink, merged(seen.map((each) => each.after)), after, nowMs);
  }

  draw(ink: Ink, places: readonly RingPlace[], nowMs: number): void {
    for (const { edge, before, after } of places) {
      const seen = this.seen.get(edge);
      if (seen === undefined) continue;
      drawWay(ink, seen.before, before, nowMs);
      drawWay(ink, seen.after, after, nowMs);
    }
  }
}

/** Of all tokens those that are drawn on one way: no more data than from a single ring. */
function merged(ways: readonly Way[]): Way {
  let lastDataMs = Number.NEGATIVE_INFINITY;
  const tokens = ways
    .flatMap((way) => way.tokens)
    .sort((a, b) => a.bornMs - b.bornMs)
    .filter(({ kind, bornMs }) => {
      if (kind !== "data") return true;
      if (bornMs - lastDataMs < DATA_EVERY_MS) return false;
      lastDataMs = bornMs;
      return true;
    });
  return { tokens, lastDataMs };
}

/** No token is larger, from its middle. */
const REACH = 10;

function covers({ tokens }: Way, curve: Curve, { x, y, w, h }: Box, nowMs: number): boolean {
  return tokens.some(({ bornMs }) => {
    const t = (nowMs - bornMs) / LIFE_MS;
    if (t < 0 || t >= 1) return false;
    const at = pointAt(curve, t);
    return at.x > x - REACH && at.x < x + w + REACH && at.y > y - REACH && at.y < y + h + REACH;
  });
}

const way = (): Way => ({ tokens: [], lastDataMs: Number.NEGATIVE_INFINITY });

function add(to: Way, kind: MessageKind, radius: number, nowMs: number): void {
  to.tokens = to.tokens.filter(({ bornMs }) => nowMs - bornMs < LIFE_MS);
  if (kind === "tick") return;
  if (kind === "data") {
    if (nowMs - to.lastDataMs < DATA_EVERY_MS) return;
    to.lastDataMs = nowMs;
  }
  if (to.tokens.length < MOST) to.tokens.push({ kind, radius, bornMs: nowMs });
}

/** The message that was sent last stands at the end of the ring, if it is still there. */
function kindSent({ kinds, queued }: EdgeNow): MessageKind {
  return queued === kinds.length ? (kinds[kinds.length - 1] ?? "data") : "data";
}

function radiusOf(edge: EdgeNow, before: Seen): number {
  const rows = (edge.rowsSent - before.rows) / Math.max(1, edge.messagesSent - before.sent);
  return rows <= 0 ? 2.4 : Math.min(4.6, 1.7 + Math.log10(rows + 1) * 0.75);
}

function drawWay(ink: Ink, { tokens }: Way, curve: Curve, nowMs: number): void {
  const { context, colours } = ink;
  for (const { kind, radius, bornMs } of tokens) {
    const t = (nowMs - bornMs) / LIFE_MS;
    if (t < 0 || t >= 1) continue;
    const { x, y } = pointAt(curve, t);
    switch (kind) {
      case "data":
        context.fillStyle = colours.data;
        if (isRound(ink, radius)) {
          context.beginPath();
          context.arc(x, y, radius, 0, 2 * Math.PI);
          context.fill();
        } else context.fillRect(x - radius * SQUARE, y - radius * SQUARE, 2 * radius * SQUARE, 2 * radius * SQUARE);
        break;
      case "watermark":
        drawFlag(ink, x, y - 9, 10);
        break;
      case "barrier":
        drawGate(ink, x, y, 15, 3, slopeAt(curve, t));
        break;
      case "eos":
        context.fillStyle = colours.end;
        context.fillRect(x - 3.5, y - 3.5, 7, 7);
        break;
      case "tick":
        break;
    }
  }
}
