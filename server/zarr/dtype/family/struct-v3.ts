/** Structs in Zarr v3 metadata: the registered `struct`, and the older `structured`. */
import { describeJson } from '../../bytes/describe-json.js';
import { isJsonList, isJsonObject, type JsonValue } from '../../bytes/json.js';
import { printJson } from '../../bytes/print-json.js';
import { MetadataError, UnsupportedError } from '../../errors.js';
import { metadataBounds } from '../../limits.js';
import {
  isFixedSize,
  type DataType,
  type FixedSizeType,
  type StructField,
  type StructType,
} from '../data-type.js';
import { withinStruct } from '../struct-bounds.js';
import type { Family, FixedTraits, V3Type } from './family.js';

const MAX_ITEM_SIZE = metadataBounds.maxItemBytes;

export const structFamily: Family = {
  names: ['struct'],
  parseV3: (type) => (type.name === 'struct' || type.name === 'structured' ? parseStruct(type) : undefined),
};

/** Fields are { name, data_type }, or [name, type] in the older form. */
function parseStruct({ configuration, json, at, nesting, parseField }: V3Type): DataType {
  const list = configuration['fields'];
  if (!isJsonList(list) || list.length === 0)
    throw new MetadataError(
      `${at} "struct": fields is ${describeJson(list)}; it must be a list of at least one field`,
    );
  const within = withinStruct(nesting, list.length, at);
  const fields: StructField[] = [];
  const names = new Set<string>();
  let offset = 0;
  for (const [i, entry] of list.entries()) {
    const place = `${at}.fields[${i}]`;
    const [name, type] = isJsonList(entry)
      ? entry
      : isJsonObject(entry)
        ? [entry['name'], entry['data_type']]
        : [];
    if (typeof name !== 'string' || type === undefined)
      throw new MetadataError(
        `${place} is ${describeJson(entry)}; a field must be {"name": ..., "data_type": ...}`,
      );
    if (names.has(name)) throw new MetadataError(`${at} has two fields named ${JSON.stringify(name)}`);
    names.add(name);
    const dtype = parseField(type, place, within);
    // A field of unknown or variable size makes the offsets of later fields unknown.
    if (!isFixedSize(dtype)) return { name: 'unknown', itemSize: null, given: printJson(json) };
    fields.push({ name, offset, dtype, shape: [] });
    offset += dtype.itemSize;
    if (offset > MAX_ITEM_SIZE)
      throw new MetadataError(`${at} has an item size of more than ${MAX_ITEM_SIZE} bytes`);
  }
  return { name: 'struct', itemSize: offset, fields };
}

/** @throws UnsupportedError for sub-arrays and padding, which v3 cannot represent */
export function fieldsJson(dtype: StructType, traitsOf: (dtype: FixedSizeType) => FixedTraits): JsonValue {
  let end = 0;
  const fields = dtype.fields.map((field) => {
    const traits = isFixedSize(field.dtype) ? traitsOf(field.dtype) : undefined;
    if (field.shape.length > 0 || field.offset !== end || traits === undefined)
      throw new UnsupportedError(
        `the field "${field.name}" cannot be represented in Zarr v3, where structs have no sub-arrays and no padding`,
      );
    end += field.dtype.itemSize ?? 0;
    return { name: field.name, data_type: traits.v3Json() };
  });
  if (end !== dtype.itemSize) throw new UnsupportedError('Zarr v3 cannot represent padding in structs');
  return fields;
}
