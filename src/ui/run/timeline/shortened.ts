/** No label has room for more letters, however narrow they are. */
const MOST_LETTERS = 1000;

/**
 * A name cut to a width, in the unit of `measure`. The end of a task's name says which subtask, so it is cut before that. Takes some
 * ten measurements, however long the name is: each takes as long as its text.
 */
export function shortened(measure: (text: string) => number, name: string, room: number): string {
  if (name.length <= MOST_LETTERS && measure(name) <= room) return name;
  const dot = name.lastIndexOf(" · ");
  const tail = dot < 0 ? "" : name.slice(dot);
  const head = name.slice(0, Math.min(dot < 0 ? name.length : dot, MOST_LETTERS));
  let [fits, over] = [1, head.length + 1];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (measure(`${head.slice(0, middle)}…${tail}`) > room) over = middle;
    else fits = middle;
  }
  return `${head.slice(0, fits)}…${tail}`;
}
