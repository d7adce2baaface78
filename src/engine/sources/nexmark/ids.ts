import type { NexmarkSourceConfig } from "../../operators/catalog.ts";
import { below, TWO_32 } from "./draws.ts";
import type { Proportions } from "./event-numbers.ts";

/** Ids begin here, as published, so that queries find matches in small inputs too. */
const FIRST_PERSON = 1000;
const FIRST_AUCTION = 1000;
/** Ids that are referred to shortly before they exist. */
const LEAD = 10;
/** One of so many people and auctions is hot, for as long as it takes to make as many. */
const HOT_EVERY = 100;

/** Ids and times as functions of events' numbers: whom they make, and to whom they refer. */
export class Ids {
  private readonly proportions: Proportions;
  private readonly round: number;
  private readonly active: number;
  private readonly inFlight: number;
  private readonly startMs: number;
  private readonly eventsPerSecond: number;

  constructor(config: NexmarkSourceConfig, proportions: Proportions) {
    this.proportions = proportions;
    this.round = proportions.person + proportions.auction + proportions.bid;
    this.active = config.activePeople;
    this.inFlight = config.inFlightAuctions;
    this.startMs = config.startMs;
    this.eventsPerSecond = config.eventsPerSecond;
  }

  /** When events happen, in whole milliseconds. */
  timesOf(events: Float64Array): Float64Array {
    const { startMs, eventsPerSecond } = this;
    const times = new Float64Array(events.length);
    for (let i = 0; i < times.length; i++) {
      times[i] = startMs + Math.floor(((events[i] as number) * 1000) / eventsPerSecond);
    }
    return times;
  }

  /** The person that each event makes, or else the last one made before it; counted from 0. */
  private lastPeople(events: Float64Array): Float64Array {
    const { person } = this.proportions;
    const { round } = this;
    const people = new Float64Array(events.length);
    for (let i = 0; i < people.length; i++) {
      const event = events[i] as number;
      const begun = Math.floor(event / round);
      people[i] = begun * person + Math.min(event - begun * round, person - 1);
    }
    return people;
  }

  /** The auction that each event, a bid or an auction, makes, or else the last one made before it; counted from 0. */
  private lastAuctions(events: Float64Array): Float64Array {
    const { person, auction } = this.proportions;
    const { round } = this;
    const auctions = new Float64Array(events.length);
    for (let i = 0; i < auctions.length; i++) {
      const event = events[i] as number;
      const begun = Math.floor(event / round);
      auctions[i] = begun * auction + Math.min(event - begun * round - person, auction - 1);
    }
    return auctions;
  }

  /** Ids of the people whom events make. */
  newPeople(events: Float64Array): Float64Array {
    return this.lastPeople(events).map((person) => FIRST_PERSON + person);
  }

  /** Ids of the auctions that events make. */
  newAuctions(events: Float64Array): Float64Array {
    return this.lastAuctions(events).map((auction) => FIRST_AUCTION + auction);
  }

  /**
   * For each event one of the active people or of the next few; word `half` of it chooses. All but one of `hot` are the
   * person at place `which` of the last hundred.
   */
  somePeople(events: Float64Array, words: Uint32Array, half: 0 | 1, hot: number, which: number): Float64Array {
    const people = this.lastPeople(events);
    for (let i = 0; i < people.length; i++) {
      const last = people[i] as number;
      const draw = ((words[2 * i + half] as number) / TWO_32) * hot;
      const active = Math.min(last + 1, this.active);
      const chosen = last + 1 - active + Math.floor(draw * (active + LEAD));
      people[i] = FIRST_PERSON + (draw >= 1 ? Math.floor(last / HOT_EVERY) * HOT_EVERY + which : chosen);
    }
    return people;
  }

  /** For each event one of the auctions in flight or of the next few; all but one of `hot` are the hot one. */
  someAuctions(events: Float64Array, words: Uint32Array, half: 0 | 1, hot: number): Float64Array {
    const auctions = this.lastAuctions(events);
    for (let i = 0; i < auctions.length; i++) {
      const last = auctions[i] as number;
      const draw = ((words[2 * i + half] as number) / TWO_32) * hot;
      const least = Math.max(last - this.inFlight, 0);
      const chosen = least + Math.floor(draw * (last - least + 1 + LEAD));
      auctions[i] = FIRST_AUCTION + (draw >= 1 ? Math.floor(last / HOT_EVERY) * HOT_EVERY : chosen);
    }
    return auctions;
  }

  /** When auctions end: after as long as it takes, on average, until as many more are made as are in flight. */
  expiries(events: Float64Array, words: Uint32Array, half: 0 | 1): Float64Array {
    const ahead = Math.floor((this.inFlight * this.round) / this.proportions.auction);
    const longest = Math.max(Math.floor((2 * ahead * 1000) / this.eventsPerSecond), 1);
    return this.timesOf(events).map((time, i) => time + 1 + below(words[2 * i + half] as number, longest));
  }
}
