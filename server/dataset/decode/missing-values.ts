/**
 * Which stored values mean "missing": `_FillValue`, `missing_value` and, in the formats 1 and 2, the array's own fill
 * value (in 3 by option), which then stands in the place of `_FillValue`. As in xarray both attributes count, each may
 * be a list, and null says nothing.
 */
import type { JsonObject, JsonValue } from '../../zarr/index.js';
import { itemsOf } from './attribute-items.js';
import { badAttribute } from './bad-attribute.js';
import type { StoredVariable } from './decoding.js';

export type MissingAttribute = '_FillValue' | 'missing_value';

export interface MissingRules<T> {
  /** The array's own fill value, where it means "missing". */
  readonly own: T | undefined;
  /** The values of an attribute; undefined where it is of another kind than the variable's. */
  readonly read: (json: JsonValue, attribute: MissingAttribute) => readonly T[] | undefined;
  /** For messages: what the attribute should be. */
  readonly expected: string;
}

export interface Missing<T> {
  readonly values: readonly T[];
  /** The attributes that say so, as stored. */
  readonly encoding: JsonObject;
}

/** Each one is looked for in all of the data; real files have one or two. */
const MAX_VALUES = 64;

/** @throws MetadataError where an attribute is of another kind than the variable's values, or has too many of them */
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
      throw badAttribute(variable.name, attribute, json, `expected at most ${MAX_VALUES} values`);
    values.push(...read);
  }
  return { values, encoding };
}

/** `read` of each item of a list, or of a single value; null items are passed over. */
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
