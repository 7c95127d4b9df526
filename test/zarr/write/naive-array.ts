/**
 * An array as a plain list of elements, used as a model in tests. Selections are expanded to single
 * positions by independent code that follows Python's rules.
 */
import {
  type DimSelection,
  type Selection,
  createMemoryStore,
  openHierarchy,
  toTypedArray,
  type CreateArrayRequest,
  type KeyStore,
  type ZarrArray,
  type ZarrFormat,
} from '../../../server/zarr/index.js';

/** One element: the hexadecimal digits of its bytes, or a text. */
export type NaiveElement = unknown;

export interface NaiveArray {
  shape: number[];
  /** C order. */
  elements: NaiveElement[];
}

export function naiveArray(shape: readonly number[], fill: NaiveElement): NaiveArray {
  return { shape: [...shape], elements: Array.from({ length: product(shape) }, () => fill) };
}

export function product(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}

interface Chosen {
  positions: number[];
  dropped: boolean;
}

function choose(by: DimSelection, size: number, chunkSize: number): Chosen {
  const wrap = (i: number): number => (i < 0 ? i + size : i);
  switch (by.kind) {
    case 'index':
      return { positions: [wrap(by.index)], dropped: true };
    case 'indices':
      return { positions: [...by.indices].map(wrap), dropped: false };
    case 'mask':
      return { positions: by.mask.flatMap((keep, i) => (keep ? [i] : [])), dropped: false };
    case 'chunk': {
      const all = Array.from({ length: size }, (_, i) => i);
      return { positions: all.slice(by.chunk * chunkSize, (by.chunk + 1) * chunkSize), dropped: false };
    }
    case 'slice': {
      const all = Array.from({ length: size }, (_, i) => i);
      const step = by.step ?? 1;
      const positions: number[] = [];
      if (step > 0) {
        const from = by.start === undefined ? 0 : Math.max(0, wrap(by.start));
        const to = by.stop === undefined ? size : wrap(by.stop);
        for (let i = from; i < Math.min(to, size); i += step) positions.push(all[i]!);
      } else {
        const from = by.start === undefined ? size - 1 : Math.min(size - 1, wrap(by.start));
        const to = by.stop === undefined ? -1 : by.stop < 0 ? by.stop + size : by.stop;
        for (let i = from; i > Math.max(to, -1); i += step) positions.push(all[i]!);
      }
      return { positions, dropped: false };
    }
  }
}

/** The positions of a selection as flat indices, in the C order of the selection, and its shape. */
export function naiveSelect(
  array: NaiveArray,
  selection: Selection,
  chunkShape: readonly number[],
): { shape: number[]; offsets: number[] } {
  const { shape } = array;
  const flat = (index: readonly number[]): number => index.reduce((at, i, d) => at * shape[d]! + i, 0);
  if (selection.kind === 'points') {
    const offsets = selection.points.map((point) => flat(point.map((i, d) => (i < 0 ? i + shape[d]! : i))));
    return { shape: [offsets.length], offsets };
  }
  const selected: DimSelection[] =
    selection.kind === 'dims' ? selection.dims.filter((dim) => dim.kind !== 'ellipsis') : [];
  const chosen = shape.map((size, d) => choose(selected[d] ?? { kind: 'slice' }, size, chunkShape[d]!));
  let indices: number[][] = [[]];
  for (const { positions } of chosen)
    indices = indices.flatMap((index) => positions.map((i) => [...index, i]));
  return {
    shape: chosen.filter(({ dropped }) => !dropped).map(({ positions }) => positions.length),
    offsets: indices.map(flat),
  };
}

/** The element of `values` (of `shape`) at each position of `target`, broadcast. */
export function naiveBroadcast<T>(
  values: readonly T[],
  shape: readonly number[],
  target: readonly number[],
): T[] {
  const aligned = shape.slice(Math.max(0, shape.length - target.length));
  const offset = target.length - aligned.length;
  let indices: number[][] = [[]];
  for (const length of target)
    indices = indices.flatMap((index) => Array.from({ length }, (_, i) => [...index, i]));
  return indices.map((index) => {
    const at = aligned.reduce((sum, length, d) => sum * length + (length === 1 ? 0 : index[d + offset]!), 0);
    return values[at]!;
  });
}

/** Keeps the elements that exist in both shapes; the others are the fill value. */
export function naiveResize(array: NaiveArray, shape: readonly number[], fill: NaiveElement): void {
  const next = naiveArray(shape, fill);
  let indices: number[][] = [[]];
  for (const length of shape)
    indices = indices.flatMap((index) => Array.from({ length }, (_, i) => [...index, i]));
  indices.forEach((index, to) => {
    if (index.some((i, d) => i >= array.shape[d]!)) return;
    next.elements[to] = array.elements[index.reduce((at, i, d) => at * array.shape[d]! + i, 0)];
  });
  array.shape = next.shape;
  array.elements = next.elements;
}

// Arrays in memory for tests of region writes.

export const all = { kind: 'all' } as const;

export const slice = (start?: number, stop?: number, step = 1) =>
  ({
    kind: 'slice',
    step,
    ...(start === undefined ? {} : { start }),
    ...(stop === undefined ? {} : { stop }),
  }) as const;

/** Creates the array `/a`, by default in memory. */
export async function create(
  request: CreateArrayRequest,
  zarrFormat: ZarrFormat = 3,
  store = createMemoryStore({ label: 's' }),
) {
  const array = await openHierarchy(store).createArray('/a', request, zarrFormat === 1 ? {} : { zarrFormat });
  return { store, array };
}

/** The keys of the stored chunks. */
export async function keysOf(store: KeyStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.walk('')) if (!/zarr\.json$|\.z\w+$/.test(key)) keys.push(key);
  return keys;
}

/** All values of an array. */
export async function values(array: ZarrArray): Promise<unknown[]> {
  return [...toTypedArray(await array.select(all).read())];
}
