/** Resolutions of decoded dates: those of NumPy's datetime64 in pandas and xarray. */
export type Tick = 's' | 'ms' | 'us' | 'ns';

const nanoseconds: Readonly<Record<Tick, number>> = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

/** From coarse to fine. */
export const tickNames: readonly Tick[] = ['s', 'ms', 'us', 'ns'];

export function nanosecondsOf(tick: Tick): number {
  return nanoseconds[tick];
}

export function ticksPerSecond(tick: Tick): number {
  return 1e9 / nanoseconds[tick];
}

export function finest(...ticks: readonly Tick[]): Tick {
  return ticks.reduce((a, b) => (nanoseconds[a] < nanoseconds[b] ? a : b), 's');
}

/** The coarsest tick that divides a number of nanoseconds. */
export function coarsestFor(count: number): Tick {
  return tickNames.find((tick) => count % nanoseconds[tick] === 0) ?? 'ns';
}
