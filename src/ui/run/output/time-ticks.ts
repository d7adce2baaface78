const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Ticks of an axis of times, in UTC as the grid writes them, with as much as tells neighbours apart. `stepMs`: from tick to tick. */
export function timeTicks(ticks: readonly number[], stepMs: number): string[] {
  return ticks.map((ms) => {
    const text = new Date(ms).toISOString();
    const [day = "", time = ""] = text.split("T");
    if (stepMs >= DAY) return day;
    if (stepMs >= MINUTE) return time.slice(0, 5);
    return stepMs >= SECOND ? time.slice(0, 8) : time.slice(3, 12);
  });
}
