/**
 * The proleptic Gregorian calendar in exact arithmetic, for every year that a timestamp can hold (±292 billion). Nothing depends
 * on the machine's zone.
 */
export interface CivilDate {
  year: number;
  /** 1…12 */
  month: number;
  /** 1…31 */
  day: number;
}

const DAYS_PER_ERA = 146_097;
/** From 0000-03-01 to 1970-01-01. */
const EPOCH_SHIFT = 719_468;

/** Days since 1970-01-01 of a date. */
export function daysOfDate(year: number, month: number, day: number): number {
  // Years from March, so that the leap day is the last of its year; 400 years are an era.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT;
}

/** The date of a day into `out`. */
export function dateOfDays(days: number, out: CivilDate): void {
  const shifted = days + EPOCH_SHIFT;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  out.day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  out.month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  out.year = yearOfEra + era * 400 + (out.month <= 2 ? 1 : 0);
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** 0 when there is no such month. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}
