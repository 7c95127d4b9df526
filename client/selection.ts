/** How a caller says which part of an array, and the gateway's input `Selection` for it. */
import { InputError } from './errors.js';
import type { DimSelection as DimInput, Selection as SelectionInput } from './generated/operations.js';
import { isList, isRecord } from './json.js';

export type { SelectionInput };

/** Indices may be bigints; numbers must be whole and within 2^53. Negatives count from the end. */
export type Index = number | bigint;

/**
 * One dimension:
 * - `5`: that index; drops the dimension
 * - `[start, stop]`, `[start, stop, step]`: Python's slice, null for an open end
 * - `'10:20'`, `':'`: the same as text
 * - `{ slice: { start?, stop?, step? } }`
 * - `{ indices: [4, 0, 4] }`: these positions, in this order
 * - `{ mask: [true, false, ...] }`: as long as the dimension
 * - `{ chunk: 2 }`: a whole chunk, by its place in the chunk grid
 */
export type DimSelect =
  | Index
  | string
  | readonly [start: Index | null, stop: Index | null, step?: Index | null]
  | { readonly slice: SliceSelect }
  | { readonly indices: readonly Index[] }
  | { readonly mask: readonly boolean[] }
  | { readonly chunk: Index };

export interface SliceSelect {
  readonly start?: Index | null | undefined;
  readonly stop?: Index | null | undefined;
  readonly step?: Index | null | undefined;
}

/** Vectorised: one list of indices a point, one result a point. */
export interface PointsSelect {
  readonly points: readonly (readonly Index[])[];
}

/**
 * A part of an array:
 * - text in NumPy's basic notation: `'0, 10:20, ..., ::-1'`
 * - by dimension name: `{ time: 0, lat: [10, 20] }`; what is not named is taken whole
 * - by position, from the first dimension: `[0, [10, 20], ':']`
 * - `{ points: [[0, 1], [2, 3]] }`
 */
export type Selection =
  string | readonly DimSelect[] | PointsSelect | { readonly [dimension: string]: DimSelect };

/** @throws InputError BAD_SELECTION for what is none of the forms */
export function toSelectionInput(selection: Selection | undefined): SelectionInput | null {
  if (selection === undefined) return null;
  if (typeof selection === 'string') return { text: selection };
  if (isPositional(selection)) return { dims: selection.map((by, d) => toDimInput(by, `dimension ${d}`)) };
  if (isPoints(selection))
    return { points: selection.points.map((point, p) => toIndices(point, `point ${p}`)) };
  if (!isRecord(selection)) throw bad('the selection', selection);
  const named = Object.entries(selection).map(([dim, by]) => ({
    dim,
    by: toDimInput(by, `dimension "${dim}"`),
  }));
  return { named };
}

function isPositional(selection: Selection): selection is readonly DimSelect[] {
  return Array.isArray(selection);
}

/** A dimension may be called `points`; its selection is never a list of lists. */
function isPoints(selection: object): selection is PointsSelect {
  if (!isRecord(selection) || Object.keys(selection).length !== 1) return false;
  const { points } = selection;
  return isList(points) && points.every(isList);
}

function toDimInput(by: DimSelect | undefined, where: string): DimInput {
  if (typeof by === 'number' || typeof by === 'bigint') return { index: toIndex(by, where) };
  if (typeof by === 'string') return { slice: parseSliceText(by, where) };
  if (isSliceList(by)) {
    const [start, stop, step] = by;
    return { slice: toRange({ start, stop, step }, where) };
  }
  if (!isRecord(by) || Object.keys(by).length !== 1) throw bad(where, by);
  if ('slice' in by && isRecord(by.slice)) return { slice: toRange(by.slice, where) };
  if ('indices' in by && isList(by.indices)) return { indices: toIndices(by.indices, where) };
  if ('mask' in by && isList(by.mask) && by.mask.every((bit) => typeof bit === 'boolean'))
    return { mask: by.mask };
  if ('chunk' in by) return { chunk: toIndex(by.chunk, where) };
  throw bad(where, by);
}

function isSliceList(by: DimSelect | undefined): by is Extract<DimSelect, readonly unknown[]> {
  return Array.isArray(by) && (by.length === 2 || by.length === 3);
}

function toRange({ start, stop, step }: SliceSelect, where: string) {
  return {
    ...(isGiven(start) ? { start: toIndex(start, where) } : {}),
    ...(isGiven(stop) ? { stop: toIndex(stop, where) } : {}),
    ...(isGiven(step) ? { step: toIndex(step, where) } : {}),
  };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function parseSliceText(text: string, where: string) {
  const match = /^\s*(-?\d+)?\s*:\s*(-?\d+)?\s*(?::\s*(-?\d+)?\s*)?$/.exec(text);
  if (match === null) throw bad(where, text);
  const [start, stop, step] = [1, 2, 3].map((group) => match[group]).map((part) => part && BigInt(part));
  return toRange({ start: start || null, stop: stop || null, step: step || null }, where);
}

function toIndices(indices: readonly unknown[], where: string): (number | string)[] {
  return indices.map((index) => toIndex(index, where));
}

/** As the scalar BigInt takes it: a number where that is exact, else decimal digits. */
function toIndex(index: unknown, where: string): number | string {
  if (typeof index === 'number' && Number.isSafeInteger(index)) return index;
  if (typeof index !== 'bigint') throw bad(where, index);
  const exact = Number(index);
  return Number.isSafeInteger(exact) ? exact : String(index);
}

function bad(where: string, given: unknown): InputError {
  const shown =
    typeof given === 'object' && given !== null
      ? (JSON.stringify(given, (_key, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        ) ?? '')
      : String(given);
  return new InputError(
    'BAD_SELECTION',
    `${where} is ${shown.length > 80 ? `${shown.slice(0, 80)}...` : shown}; expected an index, [start, stop, step], ` +
      `'start:stop:step', or one of { slice }, { indices }, { mask }, { chunk }`,
  );
}
