/** Binds single codecs to representations of chunks. */
import type {
  BoundArrayToBytes,
  BoundCodec,
  ChunkRep,
  ChunkValues,
  CodecSpec,
} from '../../../server/format/codec/codec.js';
import { bindCodec } from '../../../server/format/codec/chain.js';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import type { JsonObject } from '../../../server/core/bytes/json.js';
import { type DataType, isNumberName, numberType } from '../../../server/core/dtype/data-type.js';
import { itemAt, itemsOfValues } from '../../../server/core/dtype/item-values.js';

/** A number type, `string`, `variable_length_bytes` or `json` by its name. */
export function typeNamed(name: string): DataType {
  if (isNumberName(name)) return numberType(name);
  if (name === 'string' || name === 'variable_length_bytes' || name === 'json')
    return { name, itemSize: null };
  throw new Error(`unknown data type "${name}"`);
}

export function chunkRep(dtype: DataType | string, shape: readonly number[]): ChunkRep {
  const type = typeof dtype === 'string' ? typeNamed(dtype) : dtype;
  return {
    dtype: type,
    shape,
    fill: type.itemSize === null ? { item: null } : { bytes: new Uint8Array(type.itemSize) },
  };
}

const registry = createDefaultRegistry();

export function bind(name: string, configuration: JsonObject, rep: ChunkRep): BoundCodec {
  const spec: CodecSpec = { name, configuration };
  const codec = registry.codecs.get(name);
  if (codec === undefined) throw new Error(`unknown codec "${name}"`);
  return bindCodec(codec, spec, rep, registry);
}

export function bindBytes(name: string, configuration: JsonObject = {}, rep = chunkRep('uint8', [0])) {
  const codec = bind(name, configuration, rep);
  if (codec.kind !== 'bytes-to-bytes') throw new Error(`codec "${name}" has the kind ${codec.kind}`);
  return codec;
}

export function bindArray(name: string, configuration: JsonObject, rep: ChunkRep) {
  const codec = bind(name, configuration, rep);
  if (codec.kind !== 'array-to-array') throw new Error(`codec "${name}" has the kind ${codec.kind}`);
  return codec;
}

/** The values of a chunk for comparison in tests; values of variable length as a list. */
export type ListedValues = { readonly bytes: Uint8Array } | { readonly items: readonly unknown[] };

/** A codec whose values of variable length are lists. */
export interface ListedCodec extends Omit<BoundArrayToBytes, 'encode' | 'decode'> {
  encode(values: ListedValues): Uint8Array;
  decode(bytes: Uint8Array, limit: number): ListedValues;
}

export function bindArrayToBytes(name: string, configuration: JsonObject, rep: ChunkRep): ListedCodec {
  const codec = bind(name, configuration, rep);
  if (codec.kind !== 'array-to-bytes') throw new Error(`codec "${name}" has the kind ${codec.kind}`);
  return {
    ...codec,
    encode: (values) => codec.encode(packed(values, rep.dtype)),
    decode: (bytes, limit) => listed(codec.decode(bytes, limit), rep.dtype),
  };
}

export function packed(values: ListedValues, dtype: DataType): ChunkValues {
  return 'bytes' in values ? values : { items: itemsOfValues(values.items, dtype) };
}

function listed(values: ChunkValues, dtype: DataType): ListedValues {
  if ('bytes' in values) return values;
  const { items } = values;
  return { items: Array.from(items.lengths, (_, i) => itemAt(items, i, dtype)) };
}
