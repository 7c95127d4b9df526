/** TypeScript types of attributes, derived from their current values. */
import { isList, isRecord } from '../json/json.js';
import type { JsonObject } from '../json/json.js';
import { propertyName } from './literals.js';

/** Limits of an attribute's type. Deeper or larger attributes have a general type. */
const MAX_DEPTH = 3;
const MAX_MEMBERS = 60;

/** An object type with one member per attribute. */
export function attributesType(attributes: JsonObject): string {
  return objectType(attributes, 0);
}

function typeOf(value: unknown, depth: number): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return typeof value;
  if (value === null) return 'null';
  if (depth >= MAX_DEPTH) return 'JsonValue';
  if (isList(value)) return listType(value, depth);
  return isRecord(value) ? objectType(value, depth) : 'JsonValue';
}

function objectType(record: Readonly<Record<string, unknown>>, depth: number): string {
  const entries = Object.entries(record);
  if (entries.length === 0) return '{}';
  if (entries.length > MAX_MEMBERS) return '{ readonly [name: string]: JsonValue }';
  const members = entries.map(
    ([name, value]) => `readonly ${propertyName(name)}: ${typeOf(value, depth + 1)}`,
  );
  return `{ ${members.join('; ')} }`;
}

function listType(list: readonly unknown[], depth: number): string {
  const types = new Set(list.slice(0, MAX_MEMBERS).map((item) => typeOf(item, depth + 1)));
  const [only] = types;
  const plain = types.size === 1 && list.length <= MAX_MEMBERS ? only : undefined;
  if (plain === undefined) return 'readonly JsonValue[]';
  return /^\w+$/.test(plain) ? `readonly ${plain}[]` : `readonly (${plain})[]`;
}
