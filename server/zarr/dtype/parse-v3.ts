/**
 * Parses data types of v3 metadata: a name, or {name, configuration} (v3 core specification, "Data types",
 * and the registry of extensions). An unknown data type is not an error: its array can be opened, but its
 * values are unsupported.
 */
import type { JsonValue } from '../bytes/json.js';
import { parseNamed } from '../bytes/named-json.js';
import type { DataType } from './data-type.js';
import { families } from './families.js';
import { outermost, type Nesting } from './struct-bounds.js';

/** @throws MetadataError for an invalid form, or an invalid configuration of a known data type */
export function parseDataType(json: JsonValue): DataType {
  return parseType(json, 'data_type', outermost());
}

function parseType(json: JsonValue, at: string, nesting: Nesting): DataType {
  const { name, configuration } = parseNamed(json, at);
  for (const family of families) {
    const dtype = family.parseV3({ name, configuration, json, at, nesting, parseField: parseType });
    if (dtype !== undefined) return dtype;
  }
  return { name: 'unknown', itemSize: null, given: typeof json === 'string' ? json : name };
}
