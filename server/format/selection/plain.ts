/** Plain forms of selections for programs, and their conversion to the canonical form. Pure. */
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
 * - text in NumPy's basic notation: `'0, 10:20, ..., ::-1'`, or by dimension name: `'time=0, lat=10:20'`
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

// Parses NumPy's basic indexing notation, by position ("0, 10:20, ..., ::-1") or by dimension name
// ("time=0, lat=10:20"). Lists and new axes are not supported: lists have separate forms (`indices`, `points`), and
// accepted text must have its NumPy meaning.

const MAX_TEXT = 4096;
const integerPattern = /^[+-]?\d+$/;
/** START:STOP or START:STOP:STEP; each number may be omitted. */
const slicePattern = /^(?:([+-]?\d+)\s*)?:\s*(?:([+-]?\d+)\s*)?(?::\s*([+-]?\d+)?)?$/;

/** @throws SelectionError for text that is too long or invalid */
export function parseSelection(text: string): Selection {
  if (text.length > MAX_TEXT)
    throw new SelectionError(
      `the selection text has ${text.length} characters; at most ${MAX_TEXT} are allowed`,
    );
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'all' };
  const parts = trimmed.split(',');
  // NumPy allows a trailing comma, as in a[0,].
  if (parts.length > 1 && parts[parts.length - 1]?.trim() === '') parts.pop();
  if (trimmed.includes('='))
    return { kind: 'named', named: parts.map((part) => parseNamed(part.trim(), text)) };
  const dims: ReturnType<typeof parsePart>[] = [];
  let ellipses = 0;
  for (const part of parts) {
    const dim = parsePart(part.trim(), text);
    if (dim.kind === 'ellipsis') ellipses++;
    dims.push(dim);
  }
  if (ellipses > 1)
    throw new SelectionError(
      `selection "${shortened(text)}": "..." occurs more than once; only one is allowed`,
    );
  return { kind: 'dims', dims };
}

/** Splits at the last "=", because a name may contain "=", but an index or slice never does. */
function parseNamed(part: string, whole: string): { readonly dim: string; readonly by: DimSelection } {
  const at = part.lastIndexOf('=');
  const dim = part.slice(0, Math.max(0, at)).trim();
  const by = at < 0 ? undefined : parsePart(part.slice(at + 1).trim(), whole);
  if (dim === '' || by === undefined || by.kind === 'ellipsis')
    throw new SelectionError(
      `selection "${shortened(whole)}": expected NAME=INDEX or NAME=START:STOP in each part, got "${shortened(part)}"`,
    );
  return { dim, by };
}

function parsePart(part: string, whole: string): DimSelection | { readonly kind: 'ellipsis' } {
  if (part === '...') return { kind: 'ellipsis' };
  if (integerPattern.test(part)) return { kind: 'index', index: boundOf(part) };
  const match = slicePattern.exec(part);
  if (match === null)
    throw new SelectionError(
      `selection "${shortened(whole)}": cannot parse "${shortened(part)}"; write an index ("3", "-1"), a slice ("10:20", "::2") or "..." for each dimension`,
    );
  const [, start = '', stop = '', step = ''] = match;
  if (step !== '' && boundOf(step) === 0)
    throw new SelectionError(
      `selection "${shortened(whole)}": the step in "${shortened(part)}" must not be zero; use 1, -1, 2, ...`,
    );
  return {
    kind: 'slice',
    ...(start === '' ? {} : { start: boundOf(start) }),
    ...(stop === '' ? {} : { stop: boundOf(stop) }),
    ...(step === '' ? {} : { step: boundOf(step) }),
  };
}

/**
 * Parses a bound. No array has elements beyond 2^53: larger bounds are clipped, and larger indices are out of
 * range.
 */
function boundOf(text: string): number {
  const value = Number(text);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
}
