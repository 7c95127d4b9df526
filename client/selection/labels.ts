/** Converts selections by coordinate value to the gateway's input. */
import { InputError } from '../errors.js';
import type { DimSelection as DimInput } from '../generated/operations.js';
import { isList } from '../json/json.js';
import { isoText } from '../ndarray/displayed-values.js';

const methods = { exact: 'EXACT', nearest: 'NEAREST', pad: 'PAD', backfill: 'BACKFILL' } as const;

/** Converts `{ at }`, `{ values }` or `{ between }`. @throws InputError BAD_SELECTION, also for unknown members */
export function toLabelInput(by: Readonly<Record<string, unknown>>, where: string): DimInput {
  const { at, values, between, method, tolerance, step, wrap, ...unknown } = by;
  const forms = [at, values, between].filter((form) => form !== undefined);
  const hasUnknown = Object.keys(unknown).length > 0;
  const hasMisplaced =
    (at === undefined && (method !== undefined || tolerance !== undefined)) ||
    (between === undefined && step !== undefined) ||
    (values !== undefined && wrap !== undefined);
  if (forms.length !== 1 || hasUnknown || hasMisplaced) throw invalid(where, by);
  if (at !== undefined)
    return {
      at: {
        value: toLabel(at, where),
        method: toMethod(method, where),
        ...(tolerance === undefined ? {} : { tolerance: toTolerance(tolerance, where) }),
        ...(wrap === undefined ? {} : { wrap: toPeriod(wrap, where) }),
      },
    };
  if (values !== undefined) {
    if (!isList(values)) throw invalid(where, by);
    return { values: values.map((label) => toLabel(label, where)) };
  }
  if (!isList(between) || between.length !== 2) throw invalid(where, by);
  const [from, to] = between;
  return {
    between: {
      ...(from === null ? {} : { from: toLabel(from, where) }),
      ...(to === null ? {} : { to: toLabel(to, where) }),
      ...(step === undefined ? {} : { step: toIndex(step, where) }),
      ...(wrap === undefined ? {} : { wrap: toPeriod(wrap, where) }),
    },
  };
}

/** @throws InputError for an invalid label */
export function toLabel(label: unknown, where: string): string | number | boolean {
  if (typeof label === 'string' || typeof label === 'boolean') return label;
  // Normalises -0, which equals 0 as a label but is a different number in CBOR.
  if (typeof label === 'number' && Number.isFinite(label)) return label === 0 ? 0 : label;
  if (typeof label === 'bigint') return toExactNumber(label);
  if (label instanceof Date && !Number.isNaN(label.getTime())) return isoText(label);
  throw invalid(`the label for ${where}`, label, 'a number, text, boolean or date');
}

function toMethod(method: unknown, where: string): (typeof methods)[keyof typeof methods] {
  if (method === undefined) return 'EXACT';
  const known = Object.entries(methods).find(([name]) => name === method);
  if (known === undefined) throw invalid(`the method for ${where}`, method, Object.keys(methods).join(', '));
  return known[1];
}

function toTolerance(tolerance: unknown, where: string): number {
  if (typeof tolerance === 'number' && Number.isFinite(tolerance) && tolerance >= 0) return tolerance;
  throw invalid(`the tolerance for ${where}`, tolerance, 'a number from 0');
}

function toPeriod(wrap: unknown, where: string): number {
  if (typeof wrap === 'number' && Number.isFinite(wrap) && wrap > 0) return wrap;
  throw invalid(`the period for ${where}`, wrap, 'a number above 0');
}

/**
 * Converts to the scalar BigInt: a number if it is exact, otherwise decimal digits.
 * @throws InputError BAD_SELECTION
 */
export function toIndex(index: unknown, where: string, expected?: string): number | string {
  // Normalises -0, which is a different number in CBOR.
  if (typeof index === 'number' && Number.isSafeInteger(index)) return index === 0 ? 0 : index;
  if (typeof index !== 'bigint') throw invalid(where, index, expected);
  return toExactNumber(index);
}

function toExactNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

const MAX_SHOWN_LENGTH = 80;

const SELECTION =
  'an index, [start, stop, step], { indices }, { mask }, { chunk }, or by label { at }, { values }, { between: [from, to] }';

/** The error for a malformed selection or part of one. */
export function invalid(where: string, value: unknown, expected: string = SELECTION): InputError {
  const shown = typeof value === 'object' && value !== null ? toJson(value) : String(value);
  const short = shown.length > MAX_SHOWN_LENGTH ? `${shown.slice(0, MAX_SHOWN_LENGTH)}...` : shown;
  return new InputError('BAD_SELECTION', `${where} is ${short}; expected ${expected}`);
}

function toJson(value: object): string {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' || (typeof each === 'number' && !Number.isFinite(each)) ? String(each) : each,
  );
  return text ?? '';
}
