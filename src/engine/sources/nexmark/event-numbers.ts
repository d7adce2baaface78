import type { NexmarkStream } from "../../operators/catalog.ts";

/** How many of the events of a round are of each stream: first people, then auctions, then bids. */
export interface Proportions {
  readonly person: number;
  readonly auction: number;
  readonly bid: number;
}

/** Numbers of the events that a batch of each stream is made of, in the order in which they come. */
export type NumbersByStream = Readonly<Record<NexmarkStream, Float64Array>>;

/** The permutation within a group of events that come out of order; a prime, as published. */
const STRIDE = 953;

/**
 * Which events a subtask makes: subtask t of n makes the rounds r with r mod n = t, whole, so that the union over all subtasks is
 * 0, 1, 2… `events` at every n (E-4). A subtask counts its own events 0, 1, 2….
 */
export class EventNumbers {
  /** Events of a round. */
  readonly round: number;
  /** How many events this subtask makes in all; infinite for an endless source. */
  readonly own: number;
  private readonly proportions: Proportions;
  private readonly subtask: number;
  private readonly parallelism: number;
  private readonly group: number;
  private readonly events: number;

  /** @param events 0 is endless */
  constructor(proportions: Proportions, group: number, events: number, subtask: number, parallelism: number) {
    this.proportions = proportions;
    this.round = proportions.person + proportions.auction + proportions.bid;
    this.group = group;
    this.events = events === 0 ? Number.POSITIVE_INFINITY : events;
    this.subtask = subtask;
    this.parallelism = parallelism;
    this.own = this.ownBelow(this.events);
  }

  /** How many of the first `events` events are this subtask's. */
  ownBelow(events: number): number {
    if (events === Number.POSITIVE_INFINITY) return events;
    const rounds = Math.floor(events / this.round);
    const whole = Math.ceil((rounds - this.subtask) / this.parallelism);
    const last = rounds % this.parallelism === this.subtask ? events % this.round : 0;
    return Math.max(whole, 0) * this.round + last;
  }

  /** The number, over all subtasks, of this subtask's event `own`. */
  numberOf(own: number): number {
    const rounds = Math.floor(own / this.round);
    return own + (rounds * (this.parallelism - 1) + this.subtask) * this.round;
  }

  /** About how many events all subtasks have made when this one has made `own`: 0 at the start. */
  allBefore(own: number): number {
    return this.numberOf(own) - this.subtask * this.round;
  }

  /** This subtask's events [from, to) by stream. */
  split(from: number, to: number): NumbersByStream {
    const { person, auction } = this.proportions;
    const firstBid = person + auction;
    const people = new Float64Array(this.atMost(to - from, person));
    const auctions = new Float64Array(this.atMost(to - from, auction));
    const bids = new Float64Array(to - from);
    let [peopleCount, auctionCount, bidCount] = [0, 0, 0];
    let place = from % this.round;
    let first = this.numberOf(from) - place;
    for (let left = to - from; left > 0; left--) {
      let number = first + place;
      let at = place;
      if (this.group > 1) {
        number = this.permuted(number);
        at = number % this.round;
      }
      if (at >= firstBid) bids[bidCount++] = number;
      else if (at >= person) auctions[auctionCount++] = number;
      else people[peopleCount++] = number;
      if (++place < this.round) continue;
      place = 0;
      first += this.parallelism * this.round;
    }
    return {
      person: people.subarray(0, peopleCount),
      auction: auctions.subarray(0, auctionCount),
      bid: bids.subarray(0, bidCount),
    };
  }

  /** Of so many events in a row, so many at most have one of `share` places of the round; disorder may bring a group more. */
  private atMost(events: number, share: number): number {
    return Math.min(events, (Math.ceil(events / this.round) + 1) * share + this.group);
  }

  /** A group that the end cuts short stays in order, so that no event is missing. */
  private permuted(number: number): number {
    const base = Math.floor(number / this.group) * this.group;
    return base + this.group > this.events ? number : base + ((number * STRIDE) % this.group);
  }
}
