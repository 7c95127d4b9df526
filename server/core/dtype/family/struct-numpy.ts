/** Structs in NumPy's notation, used by formats 1 and 2, NPY files and input: a list of fields. */
import { sizeOf } from '../../bytes/shape.js';
import { isJsonList, type JsonValue } from '../../bytes/json.js';
import { printJson, describeJson } from '../../bytes/print-json.js';
import { MetadataError, LimitError } from '../../errors.js';
import { metadataBounds } from '../../limits.js';
import { addRepeated, type ByteSwap } from '../byte-order.js';
import { isFixedSize, type DataType, type StructField, type StructType } from '../data-type.js';

export interface NumpyType {
  readonly dtype: DataType;
  /** The big-endian parts of a stored element. */
  readonly swaps: readonly ByteSwap[];
}

/** Parses the type of a field. @throws MetadataError for an invalid type */
type ParseField = (json: JsonValue, at: string, nesting: Nesting) => NumpyType;

/** Prints the data type of a field other than a struct. */
type PrintField = (dtype: DataType) => string | undefined;

const MAX_ITEM_SIZE = metadataBounds.maxItemBytes;

/**
 * @throws MetadataError for an invalid descr; LimitError for too many fields; UnsupportedError for too many
 * parts with a byte order
 */
export function parseDescr(
  list: readonly JsonValue[],
  at: string,
  nesting: Nesting,
  parseFieldType: ParseField,
): NumpyType {
  if (list.length === 0)
    throw new MetadataError(`${at} is an empty list; a struct must have at least one field`);
  const within = withinStruct(nesting, list.length, at);
  const fields: StructField[] = [];
  const swaps: ByteSwap[] = [];
  const names = new Set<string>();
  let offset = 0;
  for (const [i, entry] of list.entries()) {
    const field = parseField(entry, i, `${at}[${i}]`, within, parseFieldType);
    const { dtype } = field.type;
    // A field of an unsupported data type makes the whole struct unsupported, but not the document invalid.
    if (!isFixedSize(dtype))
      return { dtype: { name: 'unknown', itemSize: null, given: printJson(list) }, swaps: [] };
    if (names.has(field.name))
      throw new MetadataError(`${at} has two fields named ${JSON.stringify(field.name)}`);
    names.add(field.name);
    const count = sizeOf(field.shape);
    if (!field.padding) fields.push({ name: field.name, offset, dtype, shape: field.shape });
    addRepeated(swaps, field.type.swaps, offset, dtype.itemSize, count);
    offset += dtype.itemSize * count;
    if (offset > MAX_ITEM_SIZE)
      throw new MetadataError(`${at} has an element size of more than ${MAX_ITEM_SIZE} bytes`);
  }
  return { dtype: { name: 'struct', itemSize: offset, fields }, swaps };
}

interface ParsedField {
  readonly name: string;
  readonly type: NumpyType;
  readonly shape: readonly number[];
  /** Whether the field represents the bytes between fields, which NumPy writes as `["", "|V4"]`. */
  readonly padding: boolean;
}

function parseField(
  entry: JsonValue,
  i: number,
  at: string,
  nesting: Nesting,
  parseFieldType: ParseField,
): ParsedField {
  if (!isJsonList(entry) || entry.length < 2 || entry.length > 3)
    throw new MetadataError(
      `${at} is ${describeJson(entry)}; a field must be [name, type] or [name, type, shape]`,
    );
  const [label, type, shape] = entry;
  // NumPy's label of a field is its name, or the pair [title, name].
  const name = isJsonList(label) && label.length === 2 ? label[1] : label;
  if (typeof name !== 'string' || type === undefined)
    throw new MetadataError(`${at} has the name ${describeJson(name)}; expected text`);
  const parsed = parseFieldType(type, `${at} ("${name}")`, nesting);
  const padding = name === '' && parsed.dtype.name === 'raw_bytes';
  // NumPy names an unnamed field by its index.
  return { name: name === '' ? `f${i}` : name, type: parsed, shape: parseShape(shape, at), padding };
}

function parseShape(shape: JsonValue | undefined, at: string): readonly number[] {
  if (shape === undefined) return [];
  const list = isJsonList(shape) ? shape : [shape];
  if (list.length > metadataBounds.maxRank)
    throw new MetadataError(
      `${at} has a shape of ${list.length} dimensions; at most ${metadataBounds.maxRank} are supported`,
    );
  const lengths = list.map((length) => {
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0)
      throw new MetadataError(`${at} has the shape ${describeJson(shape)}; expected a list of integers`);
    return length;
  });
  // A length of 0 counts as 1, so that it does not hide the other lengths.
  if (lengths.reduce((product, length) => product * Math.max(length, 1), 1) > MAX_ITEM_SIZE)
    throw new MetadataError(
      `${at} has the shape ${describeJson(shape)}, which exceeds ${MAX_ITEM_SIZE} elements`,
    );
  return lengths;
}

/** @param base offset of the struct in the element that `swaps` describes */
export function describeStruct(dtype: StructType, printField: PrintField): JsonValue {
  const descr: JsonValue[] = [];
  let end = 0;
  const pad = (to: number) => {
    if (to > end) descr.push(['', `|V${to - end}`]);
  };
  for (const { name, offset, dtype: type, shape } of dtype.fields) {
    pad(offset);
    const printed = type.name === 'struct' ? describeStruct(type, printField) : (printField(type) ?? null);
    descr.push(shape.length === 0 ? [name, printed] : [name, printed, [...shape]]);
    end = offset + type.itemSize * shape.reduce((product, n) => product * n, 1);
  }
  pad(dtype.itemSize);
  return descr;
}

/** The position of a data type within structured types. */
export interface Nesting {
  readonly depth: number;
  /** Number of fields counted so far in the whole data type. */
  readonly counted: { fields: number };
}

export function outermost(): Nesting {
  return { depth: 0, counted: { fields: 0 } };
}

/**
 * @param fields number of fields of this struct
 * @returns the nesting of its fields' data types
 * @throws MetadataError for structs that are nested too deeply; LimitError for too many fields
 */
export function withinStruct({ depth, counted }: Nesting, fields: number, at: string): Nesting {
  const { maxDepth, maxFields } = metadataBounds;
  if (depth >= maxDepth) throw new MetadataError(`${at} nests structs deeper than ${maxDepth} levels`);
  counted.fields += fields;
  if (counted.fields > maxFields)
    throw new LimitError(`${at} has more than ${maxFields} fields`, {
      excess: [{ limit: 'fields', allowed: maxFields, needed: counted.fields }],
    });
  return { depth: depth + 1, counted };
}
