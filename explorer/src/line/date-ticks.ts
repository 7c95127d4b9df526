/** Ticks of a date axis, in UTC. Dates are seconds since 1970, of any year. */

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
/** Tick distances of fixed length, in seconds. Larger distances are counted in months. */
const steps = [
  1,
  2,
  5,
  10,
  15,
  30,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
];
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000];
const MONTH = 30.4375 * DAY;

/** @param wanted approximate number of ticks */
export function dateTicks(from: number, to: number, wanted: number): readonly number[] {
  const about = (to - from) / Math.max(1, wanted);
  if (!(about > 0)) return [];
  if (about < 1) return ticksOf(from, to, 10 ** Math.ceil(Math.log10(about)));
  const step = steps.find((each) => each >= about);
  if (step !== undefined) return ticksOf(from, to, step);
  const months = monthSteps.find((each) => each * MONTH >= about) ?? 12_000;
  const start = new Date(from * 1000);
  const first = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
  const ticks: number[] = [];
  for (let month = first; ticks.length < 100; month += months) {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1);
    const at = date.getTime() / 1000;
    if (!(at <= to)) break;
    if (at >= from) ticks.push(at);
  }
  return ticks;
}

function ticksOf(from: number, to: number, step: number): readonly number[] {
  const count = Math.min(100, Math.floor(to / step) - Math.ceil(from / step) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, i) => (Math.ceil(from / step) + i) * step);
}

/** Formats the parts of the date that the distance between ticks requires. */
export function dateText(seconds: number, step: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const text = date.toISOString();
  const split = text.indexOf('T');
  const [day, time] = [text.slice(0, split), text.slice(split + 1, -1)];
  if (step >= 360 * DAY) return day.slice(0, -6);
  if (step >= 27 * DAY) return day.slice(0, -3);
  if (step >= DAY) return day;
  const clock = step >= MINUTE ? time.slice(0, 5) : step >= 1 ? time.slice(0, 8) : time;
  return step === 1 ? `${day} ${clock}` : `${day.slice(-5)} ${clock}`;
}
