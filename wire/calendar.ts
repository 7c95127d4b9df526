/**
 * The proleptic Gregorian calendar with a year 0, in days since 1970-01-01. Years are bigints: a 64-bit day
 * count can represent years of 17 digits.
 */

/** Number of days in 400 years, the period of the calendar. */
const ERA_DAYS = 146_097;
/** Number of days from 0000-03-01 to 1970-01-01. In this module, years begin in March. */
const EPOCH_DAYS = 719_468;

/** Formats a day as `YYYY-MM-DD`. */
export function dateText(day: bigint): string {
  let era: bigint;
  let dayOfEra: number;
  const shifted = Number(day) + EPOCH_DAYS;
  if (Number.isSafeInteger(shifted)) {
    const eras = Math.floor(shifted / ERA_DAYS);
    era = BigInt(eras);
    dayOfEra = shifted - eras * ERA_DAYS;
  } else {
    const exact = day + BigInt(EPOCH_DAYS);
    const rest = exact % BigInt(ERA_DAYS);
    dayOfEra = Number(rest < 0n ? rest + BigInt(ERA_DAYS) : rest);
    era = (exact - BigInt(dayOfEra)) / BigInt(ERA_DAYS);
  }
  // The leap day is the last day of a year that begins in March, so it does not shift other days.
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / (ERA_DAYS - 1))) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = era * 400n + BigInt(yearOfEra + (month <= 2 ? 1 : 0));
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
}

/** Formats a year with at least four characters including the sign, like C's `%04lld`. */
export function yearText(year: bigint): string {
  return year < 0n ? `-${(-year).toString().padStart(3, '0')}` : year.toString().padStart(4, '0');
}

/**
 * Number of days from 1970-01-01 to the first day of a month.
 * @param month 1 to 12, or 13 for January of the next year
 * @returns undefined for any other month
 */
export function daysBeforeMonth(year: bigint, month: number): bigint | undefined {
  if (month < 1 || month > 13) return undefined;
  // Years begin in March, so month 13 (January) is at the end of the year.
  const y = month <= 2 ? year - 1n : year;
  const fromMarch = (month + 9) % 12;
  const rest = y % 400n;
  const yearOfEra = rest < 0n ? rest + 400n : rest;
  const era = (y - yearOfEra) / 400n;
  const dayOfYear = BigInt(Math.floor((153 * fromMarch + 2) / 5));
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear;
  return era * BigInt(ERA_DAYS) + dayOfEra - BigInt(EPOCH_DAYS);
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
