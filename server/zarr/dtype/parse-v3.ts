/**
 * Data types of v3 metadata: a name, or {name, configuration} (v3 core specification, "Data types", and the registry
 * of extensions). A type that is not known is no error: its array opens, and only its values are unsupported.
 */
import { describeJson } from '../bytes/describe-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { parseNamed } from '../bytes/named-json.js';
import { printJson } from '../bytes/print-json.js';
import { MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { isFixedSize, type DataType, type FixedType, type StructField, timeType } from './data-type.js';
import { isNumberName, numberType } from './number-types.js';
import { outermost, withinStruct, type Nesting } from './struct-bounds.js';
import { MAX_TIME_SCALE, parseTimeUnit } from '../../../wire/time-units.js';

const MAX_ITEM_SIZE = metadataBounds.maxItemBytes;

/** Other names that are in use for the same thing. */
const aliases: Readonly<Record<string, string>> = {
  bytes: 'variable_length_bytes',
  binary: 'variable_length_bytes',
  complex_float32: 'complex64',
  complex_float64: 'complex128',
  structured: 'struct',
};

/** @throws MetadataError where the form is wrong, or the configuration of a known type */
export function parseDataType(json: JsonValue): DataType {
  return parseType(json, 'data_type', outermost());
}

function parseType(json: JsonValue, at: string, nesting: Nesting): DataType {
  const { name, configuration } = parseNamed(json, at);
  const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  switch (known) {
    case 'string':
    case 'variable_length_bytes':
      refuseConfiguration(configuration, known, at);
      return { name: known, itemSize: null };
    case 'null_terminated_bytes':
    case 'raw_bytes':
    case 'fixed_length_utf32':
      return parseFixed(known, configuration, at);
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return parseTime(known, configuration, at);
    case 'struct':
      return parseStruct(configuration, json, at, nesting);
  }
  if (isNumberName(known)) {
    refuseConfiguration(configuration, known, at);
    return numberType(known);
  }
  const bits = /^r([1-9]\d{0,10})$/.exec(name);
  if (bits === null)
    return { name: 'unknown', itemSize: null, given: typeof json === 'string' ? json : name };
  refuseConfiguration(configuration, name, at);
  const size = Number(bits[1]) / 8;
  if (!Number.isInteger(size) || size > MAX_ITEM_SIZE)
    throw new MetadataError(`${at} is "${name}"; the number of raw bits must be a multiple of 8`);
  return { name: 'raw_bits', itemSize: size };
}

function refuseConfiguration(configuration: JsonObject, name: string, at: string): void {
  const [option] = Object.keys(configuration);
  if (option !== undefined)
    throw new MetadataError(`${at} "${name}" takes no configuration, but has ${JSON.stringify(option)}`);
}

function parseFixed(name: FixedType['name'], configuration: JsonObject, at: string): FixedType {
  const size = configuration['length_bytes'];
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > MAX_ITEM_SIZE)
    throw new MetadataError(
      `${at} "${name}": length_bytes is ${describeJson(size)}; it must be a count of bytes`,
    );
  if (name === 'fixed_length_utf32' && size % 4 !== 0)
    throw new MetadataError(`${at} "${name}": length_bytes is ${size}; a character takes 4 bytes`);
  return { name, itemSize: size };
}

function parseTime(
  name: 'numpy.datetime64' | 'numpy.timedelta64',
  configuration: JsonObject,
  at: string,
): DataType {
  const { unit: text, scale_factor: scale } = configuration;
  const unit = typeof text === 'string' ? parseTimeUnit(text) : undefined;
  if (unit === undefined)
    throw new MetadataError(
      `${at} "${name}": unit is ${describeJson(text)}; it must be one of Y, M, W, D, h, m, s, ms, us, ns, ps, fs, as, generic`,
    );
  if (typeof scale !== 'number' || !Number.isInteger(scale) || scale < 1 || scale > MAX_TIME_SCALE)
    throw new MetadataError(
      `${at} "${name}": scale_factor is ${describeJson(scale)}; it must be an integer from 1 to ${MAX_TIME_SCALE}`,
    );
  return timeType(name, unit, scale);
}

/** Fields as the registered `struct` writes them ({name, data_type}), or as the older `structured` ([name, type]). */
function parseStruct(configuration: JsonObject, json: JsonValue, at: string, nesting: Nesting): DataType {
  const list = configuration['fields'];
  if (!Array.isArray(list) || list.length === 0)
    throw new MetadataError(
      `${at} "struct": fields is ${describeJson(list)}; it must be a list of one field or more`,
    );
  const within = withinStruct(nesting, list.length, at);
  const fields: StructField[] = [];
  const names = new Set<string>();
  let offset = 0;
  for (const [i, entry] of (list as readonly JsonValue[]).entries()) {
    const place = `${at}.fields[${i}]`;
    const [name, type] = Array.isArray(entry)
      ? (entry as readonly JsonValue[])
      : isJsonObject(entry)
        ? [entry['name'], entry['data_type']]
        : [];
    if (typeof name !== 'string' || type === undefined)
      throw new MetadataError(
        `${place} is ${describeJson(entry)}; a field is {"name": ..., "data_type": ...}`,
      );
    if (names.has(name)) throw new MetadataError(`${at} has two fields named ${JSON.stringify(name)}`);
    names.add(name);
    const dtype = parseType(type, place, within);
    // One field of unknown or variable size hides where the others lie.
    if (!isFixedSize(dtype)) return { name: 'unknown', itemSize: null, given: printJson(json) };
    fields.push({ name, offset, dtype, shape: [] });
    offset += dtype.itemSize;
    if (offset > MAX_ITEM_SIZE)
      throw new MetadataError(`${at} has items of more than ${MAX_ITEM_SIZE} bytes`);
  }
  return { name: 'struct', itemSize: offset, fields };
}
