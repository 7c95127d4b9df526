/**
 * The bound codec chain of a chunk: array-to-array codecs, one array-to-bytes codec, bytes-to-bytes codecs, in
 * encoding order (v3 core specification, "Codecs"). Decoding runs them in reverse. Strides of a decoded chunk.
 * Permutations are not executed, but become part of the strides. Pure functions.
 */
import { defined } from '../../../wire/guards.js';
import { stridesOf } from '../../core/bytes/shape.js';
import { isFixedSize } from '../../core/dtype/data-type.js';
import { MetadataError, UnsupportedError, LimitError } from '../../core/errors.js';
import { metadataBounds } from '../../core/limits.js';
import { bindAdded } from './added-codec.js';
import type {
  BoundArrayToArray,
  BoundArrayToBytes,
  BoundBytesToBytes,
  BoundCodec,
  ChunkRep,
  Codec,
  CodecChain,
  CodecModule,
  CodecRegistry,
  CodecSpec,
  Size,
} from './codec.js';

/**
 * Binds every codec to its input representation.
 * @throws UnsupportedError for a codec that is not in the registry, or does not support its input; MetadataError
 *   for an invalid sequence of codecs; errors from `create`
 */
export function resolveChain(
  registry: CodecRegistry,
  specs: readonly CodecSpec[],
  rep: ChunkRep,
): CodecChain {
  const arrayToArray: BoundArrayToArray[] = [];
  const bytesToBytes: BoundBytesToBytes[] = [];
  let arrayToBytes: BoundArrayToBytes | undefined;
  let current = rep;
  // Looks up all names before checking the sequence, because an unknown codec could be of any kind.
  const known = specs.map((spec) => {
    const codec = registry.codecs.get(spec.name);
    if (codec === undefined) throw new UnsupportedError(`unknown codec "${spec.name}"`);
    return { spec, codec };
  });
  for (const { spec, codec: factory } of known) {
    const codec = bindCodec(factory, spec, current, registry);
    if (codec.kind === 'array-to-array') {
      if (arrayToBytes !== undefined)
        throw new MetadataError(
          `the array-to-array codec "${spec.name}" comes after the array-to-bytes codec "${arrayToBytes.spec.name}"`,
        );
      if (!isFixedSize(current.dtype) && codec.permutation === undefined)
        throw new UnsupportedError(`codec "${spec.name}": unsupported data type ${current.dtype.name}`);
      arrayToArray.push(codec);
      current = codec.encodedRep;
    } else if (codec.kind === 'array-to-bytes') {
      if (arrayToBytes !== undefined)
        throw new MetadataError(
          `the codec chain has two array-to-bytes codecs, "${arrayToBytes.spec.name}" and "${spec.name}"; exactly one is allowed`,
        );
      arrayToBytes = codec;
    } else {
      if (arrayToBytes === undefined)
        throw new MetadataError(
          `the bytes-to-bytes codec "${spec.name}" comes before any array-to-bytes codec`,
        );
      bytesToBytes.push(codec);
    }
  }
  if (arrayToBytes === undefined)
    throw new MetadataError('the codec chain has no array-to-bytes codec (such as "bytes")');
  const sizes: Size[] = [arrayToBytes.encodedSize];
  let size: Size = arrayToBytes.encodedSize;
  for (const codec of bytesToBytes) {
    size = codec.encodedSize(size);
    sizes.push(size);
  }
  const contained = [arrayToBytes, ...bytesToBytes].flatMap(({ contains }) => contains ?? []);
  const modules = modulesOf(registry, [...specs, ...contained], arrayToBytes);
  const inner = contained.flatMap(({ name }) => registry.codecs.get(name) ?? []);
  const loaded = loadedOf([...known.map(({ codec }) => codec), ...inner], arrayToBytes);
  return {
    specs,
    rep,
    arrayToArray,
    arrayToBytes,
    bytesToBytes,
    sizes,
    strides: arrayToArray.reduceRight(
      (to, codec) => decodedStrides(codec, to),
      stridesOfRep(arrayToBytes.rep),
    ),
    partialDecode: allowsPartialDecode(registry, arrayToArray, arrayToBytes, bytesToBytes),
    isStandard: modules?.size === 0,
    modules,
    ofShape: (shape) => resolveChain(registry, specs, { ...rep, shape }),
    ...(loaded.size === 0 ? {} : { loaded }),
  };
}

function loadedOf(codecs: readonly Codec[], { shard }: BoundArrayToBytes): Set<Codec> {
  const inner = shard === undefined ? [] : [shard.chain, shard.indexChain];
  return new Set([
    ...codecs.filter((codec) => codec.load !== undefined),
    ...inner.flatMap((chain) => [...(chain.loaded ?? [])]),
  ]);
}

/** A codec bound to its configuration and to its position in a chain. */
export function bindCodec(codec: Codec, spec: CodecSpec, rep: ChunkRep, registry: CodecRegistry): BoundCodec {
  const { configuration } = spec;
  if (!registry.builtIn.has(spec.name)) return bindAdded(codec, spec, rep, registry);
  switch (codec.kind) {
    case 'array-to-array':
      return { ...codec.create(configuration, rep, registry), kind: codec.kind, spec, rep };
    case 'array-to-bytes':
      return { ...codec.create(configuration, rep, registry), kind: codec.kind, spec, rep };
    case 'bytes-to-bytes':
      return { ...codec.create(configuration, rep, registry), kind: codec.kind, spec, rep };
  }
}

function modulesOf(
  { builtIn, codecs }: CodecRegistry,
  specs: readonly CodecSpec[],
  { shard }: BoundArrayToBytes,
): ReadonlyMap<string, CodecModule> | undefined {
  const modules = new Map<string, CodecModule>();
  for (const { name } of specs) {
    const module = codecs.get(name)?.module;
    if (builtIn.has(name)) continue;
    if (module === undefined) return undefined;
    modules.set(name, module);
  }
  for (const inner of shard === undefined ? [] : [shard.chain, shard.indexChain]) {
    if (inner.modules === undefined) return undefined;
    for (const [name, module] of inner.modules) modules.set(name, module);
  }
  return modules;
}

/**
 * Whether a part of a chunk can be decoded: the bytes-to-bytes codec that is decoded last must support it, and
 * the codecs after it must not use bytes outside the needed elements.
 */
function allowsPartialDecode(
  { builtIn }: CodecRegistry,
  arrayToArray: readonly BoundArrayToArray[],
  { spec, rep, shard }: BoundArrayToBytes,
  [innermost]: readonly BoundBytesToBytes[],
): boolean {
  const isPlain =
    spec.name === 'bytes' && builtIn.has('bytes') && shard === undefined && isFixedSize(rep.dtype);
  const onlyPermuted = arrayToArray.every((codec) => codec.permutation !== undefined);
  return isPlain && onlyPermuted && innermost?.partialDecode === true;
}

/** @param where name of the list of codecs, for the message. @throws LimitError for too many codecs */
export function assertCodecCount(count: number, where: string): void {
  const { maxCodecs } = metadataBounds;
  if (count <= maxCodecs) return;
  throw new LimitError(`${where} has ${count} codecs; at most ${maxCodecs} are allowed`, {
    excess: [{ limit: 'codecs', allowed: maxCodecs, needed: count }],
  });
}

/** The strides of C order: in bytes, or in elements for values of variable length. */
export function stridesOfRep({ shape, dtype }: ChunkRep): readonly number[] {
  return stridesOf(shape, dtype.itemSize ?? 1);
}

/** Converts strides on the encoded side of an array-to-array codec to strides on the decoded side. */
export function decodedStrides(
  { permutation, rep }: BoundArrayToArray,
  encoded: readonly number[],
): readonly number[] {
  // Other codecs return their values in C order.
  if (permutation === undefined) return stridesOfRep(rep);
  const strides = new Array<number>(encoded.length).fill(0);
  permutation.forEach((d, i) => (strides[d] = defined(encoded[i])));
  return strides;
}
