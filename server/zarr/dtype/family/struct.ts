/** Structs: packed fields, which may be sub-arrays and structs. */
import { parseBase64 } from '../../../../wire/base64.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../bytes/json.js';
import { MetadataError } from '../../errors.js';
import { addRepeated, countOf, type ByteSwap } from '../byte-order.js';
import { nestShape } from '../../bytes/shape.js';
import {
  type Block,
  dataTypeName,
  isFixedSize,
  type DataType,
  type FixedSizeType,
  type StructField,
  type StructType,
} from '../data-type.js';
import { badFill, type FillContext } from '../fill-context.js';
import { refuse } from '../pack-numbers.js';
import type { FixedTraits } from './family.js';
import { fieldsJson } from './struct-v3.js';
import { mapItems } from './view.js';

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
          const part = bytes.subarray(field.offset, field.offset + (field.dtype.itemSize ?? 0));
          const traits = fixedTraitsOf(field, traitsOf);
          return [field.name, traits === undefined ? null : traits.printFill(part, format)] as const;
        }),
      ),
    pack(values, place) {
      throw refuse(values[0], 'packed field by field', place(0));
    },
    valueOf: (item) => recordOf(dtype, item, traitsOf),
  };
}

type StructRecord = Readonly<Record<string, unknown>>;

/** All values of a block of structs. */
export function recordsOf(block: Block, traitsOf: TraitsOf): StructRecord[] {
  const { dtype } = block;
  return dtype.name === 'struct' ? mapItems(block, (item) => recordOf(dtype, item, traitsOf)) : [];
}

/**
 * Fields by name; sub-arrays as nested lists. The object has no prototype, because field names are
 * untrusted.
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
    addRepeated(swaps, ofField, field.offset, field.dtype.itemSize ?? 0, countOf(field.shape));
  }
  return swaps;
}

/** The packed bytes of an item. */
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
