/** Plain forms of selections for programs, and their conversion to the canonical form. Pure. */
import { parseSelectionText, labelAsPosition, SelectionTextError } from '../../../wire/selection-text.js';
import { SelectionError } from '../../core/errors.js';
import type { DimSelection, Selection } from './selection.js';

/** A position, bound or step: a safe integer, or a bigint. Negative positions and bounds count from the end. */
export type Index = number | bigint;

/**
 * The part of one dimension:
 * - `5`: one index; drops the dimension
 * - `[start, stop]`, `[start, stop, step]`: a range that excludes `stop`, as in Python; null for an open end
 * - `null`: the whole dimension
 * - `{ indices: [4, 0, 4] }`: these positions, in this order
 * - `{ mask: [true, false, ...] }`: one entry per position
 * - `{ chunk: 2 }`: a whole chunk, by its index in the chunk grid
 */
export type PlainDimSelection =
  | Index
  | null
  | readonly [start: Index | null, stop: Index | null, step?: Index]
  | { readonly indices: readonly Index[] }
  | { readonly mask: readonly boolean[] }
  | { readonly chunk: Index };

/**
 * A part of an array:
 * - text in NumPy's basic notation: `'0, 10:20, ..., ::-1'`, or by dimension name: `'time=#0, lat=[10:20]'`
 * - by position: `[0, [10, 20]]`; remaining dimensions are selected entirely
 * - by dimension name: `{ time: 0, lat: [10, 20] }`; other dimensions are selected entirely
 * - `{ points: [[0, 1], [2, 3]] }`: single elements; the result has one dimension
 */
export type PlainSelection =
  | string
  | readonly PlainDimSelection[]
  | { readonly points: readonly (readonly Index[])[] }
  | { readonly [dimension: string]: PlainDimSelection | undefined };

/** Any form of a selection; undefined selects everything. */
export type SelectionInput = Selection | PlainSelection | undefined;

/** @throws SelectionError for text or a value that is not a selection */
export function toSelection(input: SelectionInput): Selection {
  if (input === undefined) return { kind: 'all' };
  if (typeof input === 'string') return parseSelection(input);
  if (typeof input !== 'object' || input === null)
    throw invalid('the selection', input, 'text, a list, { points } or an object by dimension name');
  if (isCanonical(input)) return input;
  if (isPositional(input))
    return { kind: 'dims', dims: input.map((by, d) => toDimSelection(by, `dimension ${d}`)) };
  if (isPoints(input))
    return {
      kind: 'points',
      points: input.points.map((point, p) => point.map((index) => toIndex(index, `point ${p}`))),
    };
  const named = Object.entries(input).flatMap(([dim, by]) =>
    by === undefined ? [] : [{ dim, by: toDimSelection(by, `dimension "${dim}"`) }],
  );
  return { kind: 'named', named };
}

/**
 * Whether a value is a canonical selection. A dimension may have the name `kind`, but its selection is
 * never text.
 */
function isCanonical(input: object): input is Selection {
  return 'kind' in input && typeof input.kind === 'string';
}

function isPositional(input: object): input is readonly PlainDimSelection[] {
  return Array.isArray(input);
}

/**
 * Whether a value selects points. A dimension may have the name `points`, but its selection is never a list
 * of lists.
 */
function isPoints(input: object): input is { readonly points: readonly (readonly unknown[])[] } {
  return (
    Object.keys(input).length === 1 &&
    'points' in input &&
    Array.isArray(input.points) &&
    input.points.every(Array.isArray)
  );
}

function toDimSelection(by: unknown, where: string): DimSelection {
  if (by === null) return { kind: 'slice' };
  if (typeof by === 'number' || typeof by === 'bigint') return { kind: 'index', index: toIndex(by, where) };
  if (Array.isArray(by)) return toSlice(by, where);
  if (!isRecord(by) || Object.keys(by).length !== 1) throw invalid(where, by);
  const { indices, mask, chunk } = by;
  if (Array.isArray(indices))
    return { kind: 'indices', indices: indices.map((index: unknown) => toIndex(index, where)) };
  if (isMask(mask)) return { kind: 'mask', mask };
  if (chunk !== undefined) return { kind: 'chunk', chunk: toIndex(chunk, where) };
  throw invalid(where, by);
}

function toSlice(range: readonly unknown[], where: string): DimSelection {
  if (range.length !== 2 && range.length !== 3) throw invalid(where, range);
  const [start, stop, step] = range;
  return {
    kind: 'slice',
    ...(start === null ? {} : { start: toIndex(start, where) }),
    ...(stop === null ? {} : { stop: toIndex(stop, where) }),
    ...(step === undefined ? {} : { step: toIndex(step, where) }),
  };
}

function isMask(mask: unknown): mask is readonly boolean[] {
  return Array.isArray(mask) && mask.every((bit) => typeof bit === 'boolean');
}

/**
 * Converts an index to a number. No array has elements beyond 2^53: larger bigints are clipped, and out of range as
 * indices.
 */
function toIndex(index: unknown, where: string): number {
  if (typeof index === 'number' && Number.isSafeInteger(index)) return index;
  if (typeof index !== 'bigint') throw invalid(where, index, 'an integer');
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(index)));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const MAX_SHOWN_LENGTH = 80;

function invalid(
  where: string,
  value: unknown,
  expected = 'an index, [start, stop, step], null, { indices }, { mask } or { chunk }',
): SelectionError {
  const text = isRecord(value) ? JSON.stringify(value, shown) : String(value);
  return new SelectionError(`${where} is ${shortened(text)}; expected ${expected}`);
}

/** The text as it is quoted in messages. */
function shortened(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}...` : text;
}

/** Converts values without a JSON form to text. */
function shown(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? String(value)
    : value;
}

/**
 * Without coordinates, an integer after a name is a position, and labels are errors.
 * @throws SelectionError for text that is too long or invalid
 */
export function parseSelection(text: string): Selection {
  const parsed = inSelectionErrors(text, () => parseSelectionText(text));
  if (parsed.kind !== 'named') return parsed;
  const named = parsed.named.map(({ dim, by, column }) => {
    if (by.kind === 'index' || by.kind === 'slice' || by.kind === 'indices') return { dim, by };
    const index = by.kind === 'label' ? labelAsPosition(by.label) : undefined;
    if (index !== undefined) return { dim, by: { kind: 'index', index } as const };
    throw new SelectionError(
      `selection "${shortened(text)}": column ${column}: labels can only be looked up in variables of a dataset; ` +
        `select by position: "${shortened(dim)}=#3", "${shortened(dim)}=[0:4]"`,
    );
  });
  return { kind: 'named', named };
}

/** Runs a parser of the text. @throws SelectionError with the text, instead of SelectionTextError */
export function inSelectionErrors<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof SelectionTextError)) throw error;
    throw new SelectionError(`selection "${shortened(text)}": ${error.message}`, { cause: error });
  }
}
