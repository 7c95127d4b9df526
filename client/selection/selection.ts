/** Selections of a part of an array, and their conversion to the gateway's input `Selection`. */
import type {
  DimSelection as DimInput,
  NamedDimSelection,
  Selection as SelectionInput,
} from '../generated/operations.js';
import type { NumberName } from '../../wire/data-types.js';
import type { AnyVariables, DTypeAt } from '../handles/stores.js';
import { isList, isPlainObject, isRecord } from '../json/json.js';
import type { DTypeName } from '../ndarray/ndarray.js';
import { toLabelInput, invalid, toIndex } from './labels.js';

export type { SelectionInput };

/** A position: an integer within 2^53, or a bigint. Negative positions count from the end. */
export type Index = number | bigint;

/**
 * The part of one dimension, by position:
 * - `5`: one index; drops the dimension
 * - `[start, stop]`, `[start, stop, step]`: a range that excludes `stop`, as in Python; null for an open end
 * - `{ indices: [4, 0, 4] }`: these positions, in this order
 * - `{ mask: [true, false, ...] }`: one entry per position
 * - `{ where: 'month(time) == 6' }`: the positions at which a condition is true
 * - `{ chunk: 2 }`: a whole chunk, by its index in the chunk grid
 *
 * By label, if the dimension has a coordinate:
 * - `{ at: 180 }`, `{ at: '2001-03-04', method: 'nearest', tolerance: 2 }`: one label; drops the dimension
 * - `{ values: [10, 20] }`: these labels, in this order
 * - `{ between: [-10, 10] }`: a range including both ends; null for an open end; `step` takes every n-th
 * - `{ at: -5, method: 'nearest', wrap: 360 }`, `{ between: [-10, 30], wrap: 360 }`: longitudes of any convention
 */
export type DimSelect<L extends Label = Label> =
  | Index
  | readonly [start: Index | null, stop: Index | null, step?: Index]
  | { readonly indices: readonly Index[] }
  | { readonly mask: readonly boolean[] }
  | { readonly where: string }
  | { readonly chunk: Index }
  | LabelAt<L>
  | { readonly values: readonly L[] }
  | LabelRange<L>;

/** A value of a coordinate. Times are Dates or ISO text, also in part: `'2001-03'` is the whole month. */
export type Label = number | bigint | string | boolean | Date;

export interface LabelAt<L extends Label = Label> {
  readonly at: L;
  /**
   * How to find the position: `exact` requires the label, `nearest` selects the nearest label, `pad` the last position
   * not after the label, `backfill` the first position not before it.
   * @default 'exact'
   */
  readonly method?: LabelMethod | undefined;
  /** Maximum distance, in the stored unit of the coordinate. @default unlimited */
  readonly tolerance?: number | undefined;
  /** Period after which labels repeat: 360 for longitudes. @default none */
  readonly wrap?: number | undefined;
}

/** Labels of a coordinate of data type `D`. */
export type LabelOf<D extends DTypeName> = D extends 'numpy.datetime64'
  ? string | Date
  : D extends 'string' | 'fixed_length_utf32' | 'null_terminated_bytes'
    ? string
    : D extends 'bool'
      ? boolean
      : D extends NumericName
        ? number | bigint
        : Label;

type NumericName = Exclude<NumberName, 'bool' | 'complex64' | 'complex128'>;

/** Labels of dimension `K`, if `V` describes its coordinate. */
type LabelAlong<V extends object, K> = K extends keyof V ? LabelOf<DTypeAt<V, K>> : Label;

export type LabelMethod = 'exact' | 'nearest' | 'pad' | 'backfill';

export interface LabelRange<L extends Label = Label> {
  readonly between: readonly [from: L | null, to: L | null];
  /** @default 1 */
  readonly step?: Index | undefined;
  /** Period after which labels repeat. The range may cross the ends of the coordinate. @default none */
  readonly wrap?: number | undefined;
}

/** Single elements: one list of indices per point. The result has one dimension. */
export interface PointsSelect {
  readonly points: readonly (readonly Index[])[];
}

/**
 * A part of an array:
 * - by dimension name: `{ time: 0, lat: [10, 20] }`; other dimensions are selected entirely
 * - by position, for arrays whose dimensions have no names: `[0, [10, 20]]`; remaining dimensions are
 * selected entirely
 * - `{ points: [[0, 1], [2, 3]] }`: single elements
 * - text typed by a user: `'time=2021-03, lat=-5..5, member=#0'`, or in NumPy's basic notation: `'0, 10:20, ..., ::-1'`
 *
 * @example
 * await array.slice({ time: { at: '2001-03-04' }, lat: [10, 20] });
 */
export type Selection<N extends string = string, V extends object = AnyVariables> =
  string | readonly DimSelect[] | PointsSelect | NamedSelection<N, V>;

/** By dimension name. Other dimensions are selected entirely. */
export type NamedSelection<N extends string = string, V extends object = AnyVariables> = [N] extends [never]
  ? { readonly [dimension: string]: never }
  : { readonly [D in N]?: DimSelect<LabelAlong<V, D>> | undefined };

/**
 * Converts a selection to the gateway's input `Selection`, for custom documents. Null selects the whole
 * array.
 * @throws InputError BAD_SELECTION
 * @example
 * await client.request(document, { select: toSelectionInput({ time: 0, lat: [10, 20] }) });
 */
export function toSelectionInput(selection: Selection | undefined): SelectionInput | null {
  if (selection === undefined) return null;
  if (typeof selection === 'string') return { text: selection };
  if (isPositional(selection)) return { dims: selection.map((by, d) => toDimInput(by, `dimension ${d}`)) };
  if (isPoints(selection))
    return {
      points: selection.points.map((point, p) => point.map((index) => toIndex(index, `point ${p}`, INTEGER))),
    };
  return { named: toNamedInput(selection) };
}

/** @throws InputError BAD_SELECTION */
export function toNamedInput(selection: NamedSelection): NamedDimSelection[] {
  if (!isPlainObject(selection)) throw invalid('the selection', selection);
  return Object.entries(selection).flatMap(([dim, by]) =>
    by === undefined ? [] : [{ dim, by: toDimInput(by, `dimension "${dim}"`) }],
  );
}

const INTEGER = 'an integer';

function isPositional(selection: Selection): selection is readonly DimSelect[] {
  return Array.isArray(selection);
}

/**
 * Whether a selection selects points. A dimension may have the name `points`, but its selection is never a
 * list of lists.
 */
function isPoints(selection: object): selection is PointsSelect {
  if (!isRecord(selection) || Object.keys(selection).length !== 1) return false;
  const { points } = selection;
  return isList(points) && points.every(isList);
}

function toDimInput(by: DimSelect, where: string): DimInput {
  if (typeof by === 'number' || typeof by === 'bigint') return { index: toIndex(by, where) };
  if (isRange(by)) return { slice: toSliceInput(by, where) };
  if (!isRecord(by)) throw invalid(where, by);
  if ('at' in by || 'between' in by || 'values' in by) return toLabelInput(by, where);
  if (Object.keys(by).length !== 1) throw invalid(where, by);
  if ('indices' in by && isList(by.indices))
    return { indices: by.indices.map((index) => toIndex(index, `an index of ${where}`, INTEGER)) };
  if ('mask' in by && isList(by.mask) && by.mask.every((bit) => typeof bit === 'boolean'))
    return { mask: by.mask };
  if ('where' in by && typeof by.where === 'string') return { where: by.where };
  if ('chunk' in by) return { chunk: toIndex(by.chunk, where) };
  throw invalid(where, by);
}

type Range = Extract<DimSelect, readonly unknown[]>;

function isRange(by: DimSelect): by is Range {
  return Array.isArray(by) && (by.length === 2 || by.length === 3);
}

function toSliceInput([start, stop, step]: Range, where: string) {
  return {
    ...(start === null ? {} : { start: toIndex(start, where) }),
    ...(stop === null ? {} : { stop: toIndex(stop, where) }),
    ...(step === undefined ? {} : { step: toIndex(step, where) }),
  };
}
