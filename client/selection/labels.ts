/** Converts selections by coordinate value to the gateway's input. */
import type { DimSelection as DimInput } from '../generated/operations.js';
import { isList } from '../json/json.js';
import { dateText } from '../ndarray/convert.js';
import { invalid, toExactNumber, toIndex } from './values.js';

const methods = { exact: 'EXACT', nearest: 'NEAREST', pad: 'PAD', backfill: 'BACKFILL' } as const;

/** Converts `{ at }`, `{ values }` or `{ between }`. @throws InputError BAD_SELECTION, also for unknown members */
export function toLabelInput(by: Readonly<Record<string, unknown>>, where: string): DimInput {
  const { at, values, between, method, tolerance, step, wrap, ...unknown } = by;
  const given = [at, values, between].filter((form) => form !== undefined);
  const hasUnknown = Object.keys(unknown).length > 0;
  const hasMisplaced =
    (at === undefined && (method !== undefined || tolerance !== undefined)) ||
    (between === undefined && step !== undefined) ||
    (values !== undefined && wrap !== undefined);
  if (given.length !== 1 || hasUnknown || hasMisplaced) throw invalid(where, by);
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
  if (label instanceof Date && !Number.isNaN(label.getTime())) return dateText(label);
  throw invalid(`the label for ${where}`, label);
}

function toMethod(method: unknown, where: string): (typeof methods)[keyof typeof methods] {
  if (method === undefined) return 'EXACT';
  const known = Object.entries(methods).find(([name]) => name === method);
  if (known === undefined) throw invalid(`the method for ${where}`, method);
  return known[1];
}

function toTolerance(tolerance: unknown, where: string): number {
  if (typeof tolerance === 'number' && Number.isFinite(tolerance) && tolerance >= 0) return tolerance;
  throw invalid(`the tolerance for ${where}`, tolerance);
}

function toPeriod(wrap: unknown, where: string): number {
  if (typeof wrap === 'number' && Number.isFinite(wrap) && wrap > 0) return wrap;
  throw invalid(`the period for ${where}`, wrap);
}
