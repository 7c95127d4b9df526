/** What a chunk is, for tests of single codecs. */
import type { ChunkRep, CodecSpec, BoundCodec } from '../../../server/zarr/codec/codec.js';
import { createDefaultRegistry } from '../../../server/zarr/codec/registry.js';
import type { JsonObject } from '../../../server/zarr/bytes/json.js';
import type { DataType } from '../../../server/zarr/dtype/data-type.js';
import { isNumberName, numberType } from '../../../server/zarr/dtype/number-types.js';

/** A type by its name where that says all: the numeric types and those of variable length. */
export function typeNamed(name: string): DataType {
  if (isNumberName(name)) return numberType(name);
  if (name === 'string' || name === 'variable_length_bytes' || name === 'json')
    return { name, itemSize: null };
  throw new Error(`no type "${name}"`);
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
  const binder = registry.get(name);
  if (binder === undefined) throw new Error(`no codec "${name}"`);
  return binder(spec, rep);
}

export function bindBytes(name: string, configuration: JsonObject = {}, rep = chunkRep('uint8', [0])) {
  const codec = bind(name, configuration, rep);
  if (codec.kind !== 'bytes-to-bytes') throw new Error(`"${name}" is ${codec.kind}`);
  return codec;
}

export function bindArray(name: string, configuration: JsonObject, rep: ChunkRep) {
  const codec = bind(name, configuration, rep);
  if (codec.kind !== 'array-to-array') throw new Error(`"${name}" is ${codec.kind}`);
  return codec;
}

export function bindArrayToBytes(name: string, configuration: JsonObject, rep: ChunkRep) {
  const codec = bind(name, configuration, rep);
  if (codec.kind !== 'array-to-bytes') throw new Error(`"${name}" is ${codec.kind}`);
  return codec;
}
