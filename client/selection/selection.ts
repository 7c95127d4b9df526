/** How a caller says which part of an array, and the gateway's input `Selection` for it. */
import type {
  DimSelection as DimInput,
  NamedDimSelection,
  Selection as SelectionInput,
} from '../generated/operations.js';
import { isList, isPlainObject, isRecord } from '../json/json.js';
import { bad, isGiven, toIndex } from './values.js';
import { toLabelInput } from './labels.js';

export type { SelectionInput };

/** Indices may be bigints; numbers must be whole and within 2^53. Negatives count from the end. */
export type Index = number | bigint;

/**
 * One dimension, by position:
 * - `5`: that index; drops the dimension
 * - `[start, stop]`, `[start, stop, step]`: Python's slice, null for an open end
 * - `'10:20'`, `':'`: the same as text
 * - `{ slice: { start?, stop?, step? } }`
 * - `{ indices: [4, 0, 4] }`: these positions, in this order
 * - `{ mask: [true, false, ...] }`: as long as the dimension
 * - `{ chunk: 2 }`: a whole chunk, by its place in the chunk grid
 *
 * By label, where the dimension has a coordinate:
 * - `{ at: 180 }`, `{ at: '2001-03-04', method: 'nearest', tolerance: 2 }`: one place; drops the dimension
 * - `{ values: [10, 20] }`: the places of these labels, in this order
 * - `{ between: [-10, 10] }`: both ends included, null for an open end; `step` takes every n-th
 */
export type DimSelect =
  | Index
  | `${string}:${string}`
  | readonly [start: Index | null, stop: Index | null, step?: Index | null]
  | { readonly slice: SliceSelect }
  | { readonly indices: readonly Index[] }
  | { readonly mask: readonly boolean[] }
  | { readonly chunk: Index }
  | LabelAt
  | { readonly values: readonly Label[] }
  | LabelRange;

/** A coordinate's value. Dates of times may be ISO text, also a part of one: `'2001-03'` is all of that month. */
export type Label = number | bigint | string | boolean | Date;

export interface LabelAt {
  readonly at: Label;
  /** What counts as found; `pad` is the last one not after the label, `backfill` the first not before. @default 'exact' */
  readonly method?: LabelMethod | undefined;
  /** The greatest distance that is still found, in the unit in which the coordinate is stored. @default any */
  readonly tolerance?: number | undefined;
}

export type LabelMethod = 'exact' | 'nearest' | 'pad' | 'backfill';

export interface LabelRange {
  readonly between: readonly [from: Label | null, to: Label | null];
  /** @default 1 */
  readonly step?: Index | undefined;
}

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
export type Selection<N extends string = string> =
  string | readonly DimSelect[] | PointsSelect | NamedSelection<N>;

/** By dimension name; what is not named is taken whole. */
export type NamedSelection<N extends string = string> = [N] extends [never]
  ? { readonly [dimension: string]: never }
  : { readonly [D in N]?: DimSelect | undefined };

/** @throws InputError BAD_SELECTION for what is none of the forms */
export function toSelectionInput(selection: Selection | undefined): SelectionInput | null {
  if (selection === undefined) return null;
  if (typeof selection === 'string') return { text: selection };
  if (isPositional(selection)) return { dims: selection.map((by, d) => toDimInput(by, `dimension ${d}`)) };
  if (isPoints(selection))
    return { points: selection.points.map((point, p) => toIndices(point, `point ${p}`)) };
  return { named: toNamedInput(selection) };
}

/** @throws InputError BAD_SELECTION */
export function toNamedInput(selection: NamedSelection): NamedDimSelection[] {
  if (!isPlainObject(selection)) throw bad('the selection', selection);
  return Object.entries(selection).flatMap(([dim, by]) =>
    by === undefined ? [] : [{ dim, by: toDimInput(by, `dimension "${dim}"`) }],
  );
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
  if (!isRecord(by)) throw bad(where, by);
  if ('at' in by || 'between' in by || 'values' in by) return toLabelInput(by, where);
  if (Object.keys(by).length !== 1) throw bad(where, by);
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

function parseSliceText(text: string, where: string) {
  const match = /^\s*(-?\d+)?\s*:\s*(-?\d+)?\s*(?::\s*(-?\d+)?\s*)?$/.exec(text);
  if (match === null) throw bad(where, text);
  const [start, stop, step] = [1, 2, 3]
    .map((group) => match[group])
    .map((part) => (part ? BigInt(part) : null));
  return toRange({ start, stop, step }, where);
}

function toIndices(indices: readonly unknown[], where: string): (number | string)[] {
  return indices.map((index) => toIndex(index, where));
}
