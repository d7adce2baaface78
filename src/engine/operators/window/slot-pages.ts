import { grownWords } from "../aggregates/accumulator.ts";

const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;

/**
 * Slots by number of the key, for many windows at once. A window has a list of pages of 256 keys and a page only where it has keys, so that a
 * window of few keys costs little however many keys there are. All pages lie in one array; page 0 is the empty one.
 *
 * The slot of key k is `pool[(pages[k >> 8] << 8) | (k & 255)]`, 0 for none.
 */
export class SlotPages {
  pool = new Int32Array(4 * PAGE);
  private used = 1;
  private readonly free: number[] = [];

  get(pages: Int32Array, key: number): number {
    return this.pool[((pages[key >> PAGE_BITS] as number) << PAGE_BITS) | (key & IN_PAGE)] as number;
  }

  /** `pool` may be another array afterwards. */
  set(pages: Int32Array, key: number, slot: number): void {
    let page = pages[key >> PAGE_BITS] as number;
    if (page === 0) {
      page = this.take();
      pages[key >> PAGE_BITS] = page;
    }
    this.pool[(page << PAGE_BITS) | (key & IN_PAGE)] = slot;
  }

  private take(): number {
    const page = this.free.pop() ?? this.used++;
    if ((page + 1) << PAGE_BITS > this.pool.length) this.pool = grownWords(this.pool, 2 * this.pool.length);
    return page;
  }

  /** A list of pages that reaches over `keys` keys. */
  cover(pages: Int32Array, keys: number): Int32Array {
    const needed = (keys + IN_PAGE) >> PAGE_BITS;
    return needed <= pages.length ? pages : grownWords(pages, Math.max(needed, 2 * pages.length));
  }

  release(pages: Int32Array): void {
    for (const page of pages) {
      if (page === 0) continue;
      this.pool.fill(0, page << PAGE_BITS, (page + 1) << PAGE_BITS);
      this.free.push(page);
    }
  }
}
