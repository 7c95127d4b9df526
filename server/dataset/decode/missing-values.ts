/**
 * The stored values that mean "missing": `_FillValue`, `missing_value` and, in formats 1 and 2, the array's
 * fill value (in 3 by option), which replaces `_FillValue`. As in xarray, both attributes apply, each may be
 * a list, and null is ignored.
 */
import type { JsonObject, JsonValue } from '../../zarr/index.js';
import { badAttribute, itemsOf } from '../attributes.js';
import type { StoredVariable } from './decoding.js';

export type MissingAttribute = '_FillValue' | 'missing_value';

export interface MissingRules<T> {
  /** The array's fill value, if it means "missing". */
  readonly own: T | undefined;
  /** The values of an attribute; undefined if it does not match the variable's data type. */
  readonly read: (json: JsonValue, attribute: MissingAttribute) => readonly T[] | undefined;
  /** The expected value of the attribute, for messages. */
  readonly expected: string;
}

export interface Missing<T> {
  readonly values: readonly T[];
  /** The attributes used, as stored. */
  readonly encoding: JsonObject;
}

/**
 * Maximum number of missing values per attribute, because decoding compares every element with each of them.
 * Real files have one or two.
 */
const MAX_VALUES = 64;

/** @throws MetadataError if an attribute does not match the variable's data type, or has too many values */
export function parseMissing<T>(variable: StoredVariable, rules: MissingRules<T>): Missing<T> {
  const encoding: Record<string, JsonValue> = {};
  const values: T[] = [];
  if (rules.own !== undefined) values.push(rules.own);
  for (const attribute of ['_FillValue', 'missing_value'] as const) {
    const json = variable.attributes[attribute];
    if (json === undefined) continue;
    encoding[attribute] = json;
    if (json === null || (attribute === '_FillValue' && rules.own !== undefined)) continue;
    const read = rules.read(json, attribute);
    if (read === undefined) throw badAttribute(variable.name, attribute, json, `expected ${rules.expected}`);
    if (read.length > MAX_VALUES)
      throw badAttribute(variable.name, attribute, json, `at most ${MAX_VALUES} values are supported`);
    values.push(...read);
  }
  return { values, encoding };
}

/** Applies `read` to each item of a list, or to a single value; null items are skipped. */
export function readEach<T>(
  json: JsonValue,
  read: (item: JsonValue) => T | undefined,
): readonly T[] | undefined {
  const values: T[] = [];
  for (const item of itemsOf(json)) {
    if (item === null) continue;
    const value = read(item);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
