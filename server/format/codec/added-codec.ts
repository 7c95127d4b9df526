/**
 * Codecs added by a program. Results of the wrong size or type, and errors that are not the engine's, become
 * errors of the engine.
 */
import { sizeOf } from '../../core/bytes/shape.js';
import { CodecError, MetadataError, ownError, type ZarrError } from '../../core/errors.js';
import type {
  ArrayToArray,
  ArrayToBytes,
  BoundCodec,
  BytesToBytes,
  ChunkRep,
  ChunkValues,
  Codec,
  CodecRegistry,
  CodecSpec,
  Size,
} from './codec.js';
import { checkSize, exactly } from './size.js';

/**
 * Assumed decoding time of an added codec, in nanoseconds per byte: about that of the slower numeric filters.
 */
const DEFAULT_NS_PER_BYTE = 5;

/**
 * @throws errors of the engine from `create`; MetadataError with any other error as its cause; CodecError if the bound
 * codec is invalid
 */
export function bindAdded(codec: Codec, spec: CodecSpec, rep: ChunkRep, registry: CodecRegistry): BoundCodec {
  const { name } = codec;
  const { configuration } = spec;
  const common = { spec, rep, nsPerByte: codec.nsPerByte ?? DEFAULT_NS_PER_BYTE };
  const creating = <T>(create: () => T): T =>
    converting(create, (message, cause) => new MetadataError(`codec "${name}": ${message}`, { cause }));
  switch (codec.kind) {
    case 'array-to-array': {
      const bound = creating(() => guardArrayToArray(name, codec.create(configuration, rep, registry), rep));
      return { kind: codec.kind, ...common, ...bound };
    }
    case 'array-to-bytes': {
      const bound = creating(() => guardArrayToBytes(name, codec.create(configuration, rep, registry), rep));
      return { kind: codec.kind, ...common, ...bound };
    }
    case 'bytes-to-bytes': {
      const bound = creating(() => guardBytesToBytes(name, codec.create(configuration, rep, registry)));
      return { kind: codec.kind, ...common, ...bound };
    }
  }
}

function guardArrayToArray(name: string, bound: ArrayToArray, rep: ChunkRep): ArrayToArray {
  const { encodedRep, permutation } = bound;
  if (permutation !== undefined) checkPermutation(name, permutation, rep, encodedRep);
  return {
    encodedRep,
    ...(permutation === undefined ? {} : { permutation }),
    decode: (bytes) => running(name, () => sized(name, bound.decode(bytes), sizeOfRep(rep))),
    encode: (bytes) => running(name, () => encodedAs(encodedRep, name, bound.encode(bytes))),
  };
}

function guardArrayToBytes(name: string, bound: ArrayToBytes, rep: ChunkRep): ArrayToBytes {
  return {
    encodedSize: checkedSize(name, bound.encodedSize),
    decode: (bytes, limit) => running(name, () => checkedValues(name, bound.decode(bytes, limit), rep)),
    encode: (values) => running(name, () => bytesFrom(name, bound.encode(values))),
  };
}

function guardBytesToBytes(name: string, bound: BytesToBytes): BytesToBytes {
  return {
    ...(bound.partialDecode === true ? { partialDecode: true } : {}),
    encodedSize: (decoded) => checkedSize(name, bound.encodedSize(decoded)),
    decode: (bytes, size, into, needed) =>
      running(name, () => sized(name, bound.decode(bytes, size, into, needed), size)),
    encode: (bytes) => running(name, () => bytesFrom(name, bound.encode(bytes))),
  };
}

function running<T>(name: string, run: () => T): T {
  return converting(run, (message, cause) => new CodecError(`codec "${name}": ${message}`, { cause }));
}

/**
 * Runs a codec's function and converts foreign errors. In a decoding thread, the module of a codec imports a
 * separate copy of the engine, whose error classes are foreign too.
 */
function converting<T>(run: () => T, convert: (message: string, cause: unknown) => ZarrError): T {
  try {
    return run();
  } catch (error) {
    throw ownError(error) ?? convert(error instanceof Error ? error.message : String(error), error);
  }
}

function bytesFrom(name: string, result: unknown): Uint8Array {
  if (result instanceof Uint8Array) return result;
  throw new CodecError(`codec "${name}": the result is not a Uint8Array`);
}

function sized(name: string, result: unknown, size: Size): Uint8Array {
  const bytes = bytesFrom(name, result);
  checkSize(name, bytes.length, size);
  return bytes;
}

function encodedAs(rep: ChunkRep, name: string, result: unknown): Uint8Array {
  const bytes = bytesFrom(name, result);
  const expected = sizeOfRep(rep).bytes;
  if (bytes.length === expected) return bytes;
  throw new CodecError(
    `codec "${name}": the chunk is encoded as ${bytes.length} bytes; expected ${expected}`,
  );
}

function sizeOfRep({ shape, dtype }: ChunkRep): Size {
  return exactly(sizeOf(shape) * (dtype.itemSize ?? 0));
}

function checkedValues(name: string, values: ChunkValues, rep: ChunkRep): ChunkValues {
  if (rep.dtype.itemSize !== null)
    return { bytes: sized(name, 'bytes' in values ? values.bytes : undefined, sizeOfRep(rep)) };
  const count = 'items' in values ? values.items.lengths.length : 0;
  const expected = sizeOf(rep.shape);
  if ('items' in values && count === expected) return values;
  throw new CodecError(`codec "${name}": the chunk decodes to ${count} elements; expected ${expected}`);
}

function checkedSize(name: string, size: Size): Size {
  const { kind, bytes } = size;
  const isValid = kind === 'exact' ? Number.isSafeInteger(bytes) : kind === 'atMost';
  if (isValid && bytes >= 0) return size;
  throw new CodecError(`codec "${name}": invalid encoded size: kind ${String(kind)}, ${bytes} bytes`);
}

function checkPermutation(
  name: string,
  permutation: readonly number[],
  { shape }: ChunkRep,
  encodedRep: ChunkRep,
): void {
  const isPermutation = permutation.length === shape.length && shape.every((_, d) => permutation.includes(d));
  if (isPermutation && permutation.every((d, i) => encodedRep.shape[i] === shape[d])) return;
  throw new CodecError(`codec "${name}": invalid permutation [${permutation.join(', ')}]`);
}
