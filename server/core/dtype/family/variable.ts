/** Types of variable length: text, bytes, the objects of v2 (JSON, ragged arrays), and unknown types. */
import { parseBase64 } from '../../../../wire/base64.js';
import { decodeUtf8, encodeUtf8 } from '../../bytes/text.js';
import { InputError, UnsupportedError } from '../../errors.js';
import {
  type Block,
  type DataOf,
  type DataType,
  type FixedSizeType,
  isFixedSize,
  type RaggedType,
  type UnknownType,
  type VariableType,
} from '../data-type.js';
import { isByteStringName, isTextName } from '../../../../wire/data-types.js';
import { contentsAt } from '../../bytes/items.js';
import { parseBytesFill, parseStringFill } from '../fill-bytes.js';
import { contentsOfJson, valueOfJson } from '../json-contents.js';
import { isArrayLike } from '../nested-values.js';
import { invalidValue } from '../pack-numbers.js';
import {
  type Family,
  type FixedTraits,
  type VariableTraits,
  canonicalName,
  refuseConfiguration,
} from './family.js';

/** Traits of the values in the lists of a ragged array. Injected, because they belong to another family. */
type TraitsOf = (dtype: FixedSizeType) => FixedTraits;

const aliases = { bytes: 'variable_length_bytes', binary: 'variable_length_bytes' };

export const variableFamily: Family = {
  names: ['string', 'variable_length_bytes', 'json', 'ragged'],
  parseV3({ name, configuration, at }) {
    const known = canonicalName(name, aliases);
    if (known !== 'string' && known !== 'variable_length_bytes') return undefined;
    refuseConfiguration(configuration, known, at);
    return { name: known, itemSize: null };
  },
};

type ItemName = VariableType['name'] | 'ragged';

export const variableRows: {
  readonly [N in ItemName]: { readonly view: (block: Block) => DataOf<N> };
} = {
  string: { view: (block) => itemsOf(block, stringTraits, isTextOrNull) },
  variable_length_bytes: { view: (block) => itemsOf(block, bytesTraits, isBytesOrNull) },
  json: { view: (block) => itemsOf(block, jsonTraits, isAnything) },
  ragged: {
    view: (block) =>
      block.dtype.name === 'ragged' ? itemsOf(block, raggedValues(block.dtype), isAnything) : [],
  },
};

const isTextOrNull = (item: unknown): item is string | null => item === null || typeof item === 'string';
const isBytesOrNull = (item: unknown): item is Uint8Array | null =>
  item === null || item instanceof Uint8Array;
const isAnything = (item: unknown): item is unknown => item !== undefined;

/** Checks that all values have the same form. Anything else is an error in the codec. */
function itemsOf<T>(
  block: Block,
  { valueOf }: Pick<VariableTraits, 'valueOf'>,
  isItem: (item: unknown) => item is T,
): readonly T[] {
  if (!('items' in block)) return [];
  const { items, dtype } = block;
  return Array.from({ length: items.lengths.length }, (_, i) => {
    const contents = contentsAt(items, i);
    const item = contents === null ? null : valueOf(contents);
    if (isItem(item)) return item;
    throw new UnsupportedError(`not every value is of type ${dtype.name}`);
  });
}

export function variableTraits(
  dtype: VariableType | RaggedType | UnknownType,
  traitsOf: TraitsOf,
): VariableTraits {
  switch (dtype.name) {
    case 'string':
      return stringTraits;
    case 'variable_length_bytes':
      return bytesTraits;
    case 'json':
      return jsonTraits;
    case 'ragged':
      return raggedTraits(dtype, traitsOf);
    case 'unknown':
      return unknownTraits(dtype);
  }
}

/** Text. The contents of a value are its UTF-8 bytes. */
const stringTraits: VariableTraits = {
  v3Json: () => 'string',
  listValues: 'none',
  castsFrom: ({ name }) => isTextName(name),
  emptyItem: () => '',
  parseFill: parseStringFill,
  pack(value, position) {
    if (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) return encodeUtf8(value);
    throw invalidValue(value, 'well-formed text', position);
  },
  valueOf: (contents) => decodeUtf8(contents, 0, contents.length),
  contentsOf: (value) =>
    contentsOr('string', value, typeof value === 'string' ? encodeUtf8(value) : undefined),
  comparesValues: false,
};

const bytesTraits: VariableTraits = {
  v3Json: () => 'variable_length_bytes',
  listValues: 'bytes',
  castsFrom: ({ name }) => isByteStringName(name),
  emptyItem: () => new Uint8Array(0),
  parseFill: parseBytesFill,
  pack(value, position) {
    const bytes = typeof value === 'string' ? parseBase64(value) : value;
    if (bytes instanceof Uint8Array) return bytes;
    throw invalidValue(value, 'bytes, or base64 text', position);
  },
  valueOf: (contents) => contents,
  contentsOf: (value) =>
    contentsOr('variable_length_bytes', value, value instanceof Uint8Array ? value : undefined),
  comparesValues: false,
};

/** JSON values. Different contents may represent the same value. */
const jsonTraits: VariableTraits = {
  v3Json: () => refuseV3('json'),
  listValues: 'any',
  castsFrom: () => false,
  emptyItem: () => null,
  parseFill: (json) => json,
  pack: contentsOfJson,
  valueOf: valueOfJson,
  contentsOf: contentsOfJson,
  comparesValues: true,
};

/** Lists of values. The contents of a list are its packed values. */
function raggedTraits(dtype: RaggedType, traitsOf: TraitsOf): VariableTraits {
  const { item } = dtype;
  return {
    v3Json: () => refuseV3('ragged'),
    listValues: 'any',
    castsFrom: () => false,
    emptyItem: () => emptyRagged(dtype),
    // In practice, objects have only the fill values 0 and null.
    parseFill: () => emptyRagged(dtype),
    pack(value, position) {
      if (!isFixedSize(item) || item.name === 'struct' || !isArrayLike(value))
        throw invalidValue(value, 'a list of values', position);
      return traitsOf(item).pack(value, (i) => `value ${i} of ${position}`);
    },
    ...raggedValues(dtype),
    contentsOf: (value) => contentsOr('ragged', value, bytesOfPart(value, item)),
    comparesValues: false,
  };
}

function raggedValues({ item }: RaggedType): Pick<VariableTraits, 'valueOf'> {
  return {
    // Copies the bytes, so that typed arrays can view them.
    valueOf: (contents) => (isFixedSize(item) ? packedItem(contents.slice(), item) : null),
  };
}

function packedItem(bytes: Uint8Array, dtype: FixedSizeType): Block {
  return { dtype, shape: [bytes.length / Math.max(1, dtype.itemSize)], bytes };
}

function emptyRagged({ item }: RaggedType): unknown {
  return { dtype: item, shape: [0], ...(isFixedSize(item) ? { bytes: new Uint8Array(0) } : {}) };
}

function unknownTraits({ given }: UnknownType): VariableTraits {
  return {
    v3Json: () => refuseV3(given),
    listValues: 'none',
    castsFrom: () => false,
    emptyItem: () => null,
    parseFill: () => null,
    pack() {
      throw new InputError(`cannot write values of data type "${given}"`);
    },
    valueOf: (contents) => contents,
    contentsOf: (value) => contentsOr('unknown', value, undefined),
    comparesValues: false,
  };
}

function refuseV3(name: string): never {
  throw new UnsupportedError(`Zarr v3 cannot represent the data type "${name}"`);
}

/** @throws InputError if the type has no contents for the value */
function contentsOr(name: string, value: unknown, contents: Uint8Array | undefined): Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (contents !== undefined) return contents;
  throw new InputError(`a JavaScript ${typeof value} is not a value of the data type ${name}`);
}

function bytesOfPart(value: unknown, item: DataType): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('dtype' in value) || typeof value.dtype !== 'object' || value.dtype === null) return undefined;
  if (!('name' in value.dtype) || value.dtype.name !== item.name) return undefined;
  if (!('bytes' in value) || !(value.bytes instanceof Uint8Array)) return new Uint8Array(0);
  return value.bytes.length % (item.itemSize ?? 1) === 0 ? value.bytes : undefined;
}
