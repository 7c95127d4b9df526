/** Structs: packed fields, which may be sub-arrays and structs. */
import { nestShape, sizeOf } from '../../bytes/shape.js';
import { parseBase64 } from '../../../../wire/base64.js';
import { isJsonObject, type JsonObject, type JsonValue, isJsonList } from '../../bytes/json.js';
import { printJson, describeJson } from '../../bytes/print-json.js';
import { MetadataError, UnsupportedError } from '../../errors.js';
import { metadataBounds } from '../../limits.js';
import { addRepeated, type ByteSwap } from '../byte-order.js';
import {
  type Block,
  dataTypeName,
  isFixedSize,
  type DataType,
  type FixedSizeType,
  type StructField,
  type StructType,
} from '../data-type.js';
import { invalidValue } from '../pack-numbers.js';
import { withinStruct } from './struct-numpy.js';
import { type FixedTraits, badFill, type FillContext, mapItems, type Family, type V3Type } from './family.js';

/** Traits of the fields' data types. Injected, because fields may be structs. */
type TraitsOf = (dtype: FixedSizeType) => FixedTraits;

export function structTraits(dtype: StructType, traitsOf: TraitsOf): FixedTraits {
  return {
    v3Json: () => ({ name: 'struct', configuration: { fields: fieldsJson(dtype, traitsOf) } }),
    listValues: 'none',
    castsFrom: () => false,
    swaps: () => swapsOf(dtype, traitsOf),
    undefinedFill: () => new Uint8Array(dtype.itemSize),
    parseFill: (json, context) =>
      isJsonObject(json)
        ? fillFromObject(json, dtype, context, traitsOf)
        : fillFromBase64(json, dtype, context),
    printFill: (bytes, format) =>
      Object.fromEntries(
        dtype.fields.map((field) => {
          const part = bytes.subarray(field.offset, field.offset + field.dtype.itemSize);
          const traits = fixedTraitsOf(field, traitsOf);
          return [field.name, traits === undefined ? null : traits.printFill(part, format)] as const;
        }),
      ),
    pack(values, position) {
      throw invalidValue(values[0], 'packed field by field', position(0));
    },
    valueOf: (item) => recordOf(dtype, item, traitsOf),
  };
}

type StructRecord = Readonly<Record<string, unknown>>;

/** All values of a block of structs, as records. */
export function recordsOf(block: Block, traitsOf: TraitsOf): StructRecord[] {
  const { dtype } = block;
  return dtype.name === 'struct' ? mapItems(block, (item) => recordOf(dtype, item, traitsOf)) : [];
}

/**
 * Converts an element to an object with its fields by name; sub-arrays become nested lists. The object has no
 * prototype, because field names are untrusted.
 */
function recordOf(dtype: StructType, item: Uint8Array, traitsOf: TraitsOf): StructRecord {
  const record: Record<string, unknown> = { __proto__: null };
  for (const field of dtype.fields) {
    const { itemSize } = field.dtype;
    const traits = fixedTraitsOf(field, traitsOf);
    if (traits === undefined || itemSize === null) continue;
    record[field.name] = nestShape(field.shape, (i) => {
      const from = field.offset + i * itemSize;
      return traits.valueOf(item.subarray(from, from + itemSize));
    });
  }
  return record;
}

function fixedTraitsOf({ dtype }: StructField, traitsOf: TraitsOf): FixedTraits | undefined {
  return isFixedSize(dtype) ? traitsOf(dtype) : undefined;
}

function swapsOf(dtype: StructType, traitsOf: TraitsOf): readonly ByteSwap[] {
  const swaps: ByteSwap[] = [];
  for (const field of dtype.fields) {
    const ofField = fixedTraitsOf(field, traitsOf)?.swaps() ?? [];
    addRepeated(swaps, ofField, field.offset, field.dtype.itemSize, sizeOf(field.shape));
  }
  return swaps;
}

/** Reads the packed bytes of an element from base64 text. */
export function fillFromBase64(json: JsonValue, dtype: DataType, context: FillContext): Uint8Array {
  const bytes = typeof json === 'string' ? parseBase64(json) : undefined;
  if (bytes?.length === dtype.itemSize) return bytes;
  const object = context.format === 3 ? 'an object with a value for each field, or ' : '';
  throw badFill(json, `${object}base64 of ${dtype.itemSize} bytes`, context);
}

function fillFromObject(
  json: JsonObject,
  dtype: StructType,
  context: FillContext,
  traitsOf: TraitsOf,
): Uint8Array {
  const bytes = new Uint8Array(dtype.itemSize);
  for (const name of Object.keys(json))
    if (!dtype.fields.some((field) => field.name === name))
      throw new MetadataError(`${context.at} has the unknown field ${JSON.stringify(name)}`);
  for (const field of dtype.fields) {
    const at = `${context.at}.${field.name}`;
    const value = json[field.name];
    const traits = fixedTraitsOf(field, traitsOf);
    if (value === undefined || value === null || traits === undefined || field.shape.length > 0)
      throw badFill(value, 'a value for each field', { ...context, at });
    bytes.set(traits.parseFill(value, { ...context, at, type: dataTypeName(field.dtype) }), field.offset);
  }
  return bytes;
}

const MAX_ITEM_SIZE = metadataBounds.maxItemBytes;

export const structFamily: Family = {
  names: ['struct'],
  parseV3: (type) => (type.name === 'struct' || type.name === 'structured' ? parseStruct(type) : undefined),
};

/** Parses a struct. Fields are { name, data_type }, or [name, type] in the older form. */
function parseStruct({ configuration, json, at, nesting, parseField }: V3Type): DataType {
  const list = configuration['fields'];
  if (!isJsonList(list) || list.length === 0)
    throw new MetadataError(
      `${at} "struct": fields is ${describeJson(list)}; expected a list of at least one field`,
    );
  const within = withinStruct(nesting, list.length, at);
  const fields: StructField[] = [];
  const names = new Set<string>();
  let offset = 0;
  for (const [i, entry] of list.entries()) {
    const position = `${at}.fields[${i}]`;
    const [name, type] = isJsonList(entry)
      ? entry
      : isJsonObject(entry)
        ? [entry['name'], entry['data_type']]
        : [];
    if (typeof name !== 'string' || type === undefined)
      throw new MetadataError(
        `${position} is ${describeJson(entry)}; a field must be {"name": ..., "data_type": ...}`,
      );
    if (names.has(name)) throw new MetadataError(`${at} has two fields named ${JSON.stringify(name)}`);
    names.add(name);
    const dtype = parseField(type, position, within);
    // A field of unknown or variable size makes the offsets of later fields unknown.
    if (!isFixedSize(dtype)) return { name: 'unknown', itemSize: null, given: printJson(json) };
    fields.push({ name, offset, dtype, shape: [] });
    offset += dtype.itemSize;
    if (offset > MAX_ITEM_SIZE)
      throw new MetadataError(`${at} has an element size of more than ${MAX_ITEM_SIZE} bytes`);
  }
  return { name: 'struct', itemSize: offset, fields };
}

/** @throws UnsupportedError for sub-arrays and padding, which v3 cannot represent */
function fieldsJson(dtype: StructType, traitsOf: (dtype: FixedSizeType) => FixedTraits): JsonValue {
  let end = 0;
  const fields = dtype.fields.map((field) => {
    const traits = isFixedSize(field.dtype) ? traitsOf(field.dtype) : undefined;
    if (field.shape.length > 0 || field.offset !== end || traits === undefined)
      throw new UnsupportedError(
        `the field "${field.name}" cannot be represented in Zarr v3, where structs have no sub-arrays and no padding`,
      );
    end += field.dtype.itemSize;
    return { name: field.name, data_type: traits.v3Json() };
  });
  if (end !== dtype.itemSize) throw new UnsupportedError('Zarr v3 cannot represent padding in structs');
  return fields;
}
