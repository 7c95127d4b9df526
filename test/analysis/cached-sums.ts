/** An array of four numbers, and its sums from a result cache. */
import { beforeEach } from 'vitest';
import {
  type Computation,
  createResultStore,
  type LookupOutcome,
  type ResultCache,
} from '../../server/analysis/result-cache.js';
import {
  type ArraySlice,
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  type ZarrArray,
} from '../../server/zarr/index.js';

export const form = {
  kind: 'sums',
  sizeOf: (sums: number[]) => sums.length * 8,
  copyOf: (sums: number[]) => [...sums],
};

/** The state of the current test. */
interface State {
  readonly store: KeyStore;
  array: ZarrArray;
  readonly outcomes: LookupOutcome[];
  /** Number of computations. */
  runs: number;
}

export let state: State;

/** Creates the array again before each test. */
export function createArrayForEach(): void {
  beforeEach(async () => {
    const store = createMemoryStore({ label: 'm' });
    const request = { shape: [4], dtype: 'int16', chunkShape: [2] };
    const array = await openHierarchy(store).createArray('/a', request);
    state = { store, array, outcomes: [], runs: 0 };
    await write([1, 2, 3, 4]);
  });
}

export function write(values: number[]): Promise<unknown> {
  return whole().write(values);
}

export function cacheOf(maxBytes = 2 ** 20): ResultCache<number[]> {
  const onLookup = (outcome: LookupOutcome) => state.outcomes.push(outcome);
  return createResultStore({ maxBytes, onLookup }).cacheOf(form);
}

/** The sum of a slice, as a list. */
export function sumOf(slice: ArraySlice, key = 'a', during?: () => Promise<unknown>): Computation<number[]> {
  return {
    key,
    inputs: [slice],
    async run(signal, onVersion) {
      state.runs += 1;
      await during?.();
      const block = await slice.read({ signal, onVersion });
      if (!('bytes' in block)) throw new TypeError('expected numbers');
      const { buffer, byteOffset, length } = block.bytes;
      return [new Int16Array(buffer, byteOffset, length / 2).reduce((sum, value) => sum + value, 0)];
    },
  };
}

export const whole = (): ArraySlice => state.array.select({ kind: 'all' });
