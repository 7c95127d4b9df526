/** Selections by coordinate value, as the gateway takes them. */
import type { DimSelection as DimInput } from '../generated/operations.js';
import { isList } from '../json/json.js';
import { bad, isGiven, toExactNumber, toIndex } from './values.js';

const methods = { exact: 'EXACT', nearest: 'NEAREST', pad: 'PAD', backfill: 'BACKFILL' } as const;

/** `{ at }`, `{ values }` or `{ between }`. @throws InputError BAD_SELECTION for anything else in it */
export function toLabelInput(by: Readonly<Record<string, unknown>>, where: string): DimInput {
  const { at, values, between, method, tolerance, step, ...unknown } = by;
  const given = [at, values, between].filter((form) => form !== undefined);
  if (given.length !== 1 || Object.keys(unknown).length > 0) throw bad(where, by);
  if (at === undefined && (method !== undefined || tolerance !== undefined)) throw bad(where, by);
  if (between === undefined && step !== undefined) throw bad(where, by);
  if (at !== undefined)
    return {
      at: {
        value: toLabel(at, where),
        method: methodOf(method, where),
        ...(tolerance === undefined ? {} : { tolerance: toTolerance(tolerance, where) }),
      },
    };
  if (values !== undefined) {
    if (!isList(values)) throw bad(where, by);
    return { values: values.map((label) => toLabel(label, where)) };
  }
  if (!isList(between) || between.length !== 2) throw bad(where, by);
  const [from, to] = between;
  return {
    between: {
      ...(isGiven(from) ? { from: toLabel(from, where) } : {}),
      ...(isGiven(to) ? { to: toLabel(to, where) } : {}),
      ...(step === undefined ? {} : { step: toIndex(step, where) }),
    },
  };
}

function toLabel(label: unknown, where: string): string | number | boolean {
  if (typeof label === 'string' || typeof label === 'boolean') return label;
  // -0 stands for the same place as 0, but is another number on the wire.
  if (typeof label === 'number' && Number.isFinite(label)) return label === 0 ? 0 : label;
  if (typeof label === 'bigint') return toExactNumber(label);
  if (label instanceof Date && !Number.isNaN(label.getTime())) return dateText(label);
  throw bad(where, label);
}

/** Without the zone, as datetimes are written; whole seconds without a fraction. */
function dateText(date: Date): string {
  return date.toISOString().replace(/(\.000)?Z$/, '');
}

function methodOf(method: unknown, where: string): (typeof methods)[keyof typeof methods] {
  if (method === undefined) return 'EXACT';
  const known = Object.entries(methods).find(([name]) => name === method);
  if (known === undefined) throw bad(`the method for ${where}`, method);
  return known[1];
}

function toTolerance(tolerance: unknown, where: string): number {
  if (typeof tolerance === 'number' && Number.isFinite(tolerance) && tolerance >= 0) return tolerance;
  throw bad(`the tolerance for ${where}`, tolerance);
}
