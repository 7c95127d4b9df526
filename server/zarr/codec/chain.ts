/**
 * A chunk's codec chain, bound and checked: array -> array codecs, one array -> bytes codec, bytes -> bytes codecs, in
 * the order of encoding (v3 core specification, "Codecs": decoding runs them backwards).
 */
import { isFixedSize } from '../dtype/data-type.js';
import { MetadataError, UnsupportedError } from '../errors.js';
import {
  type BoundArrayToArray,
  type BoundArrayToBytes,
  type BoundBytesToBytes,
  type ChunkRep,
  type CodecChain,
  type CodecRegistry,
  type CodecSpec,
  isStandard,
  type Size,
} from './codec.js';

/**
 * Binds every codec to what it will see.
 * @throws UnsupportedError for a codec that the registry does not know, MetadataError for a chain that is none
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
  // Every name is looked up before the order is judged: what an unknown codec does, nobody can say.
  const binders = specs.map((spec) => {
    const bind = registry.get(spec.name);
    if (bind === undefined) throw new UnsupportedError(`the codec "${spec.name}" is not known`);
    return { spec, bind };
  });
  for (const { spec, bind } of binders) {
    const codec = bind(spec, current);
    if (codec.kind === 'array-to-array') {
      if (arrayToBytes !== undefined)
        throw new MetadataError(
          `the array-to-array codec "${spec.name}" stands after the array-to-bytes codec "${arrayToBytes.spec.name}"`,
        );
      if (!isFixedSize(current.dtype) && codec.permutation === undefined)
        throw new UnsupportedError(
          `the codec "${spec.name}" cannot change values of the type ${current.dtype.name}`,
        );
      arrayToArray.push(codec);
      current = codec.encodedRep;
    } else if (codec.kind === 'array-to-bytes') {
      if (arrayToBytes !== undefined)
        throw new MetadataError(
          `two array-to-bytes codecs, "${arrayToBytes.spec.name}" and "${spec.name}"; a chain has one`,
        );
      arrayToBytes = codec;
    } else {
      if (arrayToBytes === undefined)
        throw new MetadataError(
          `the bytes-to-bytes codec "${spec.name}" stands before any array-to-bytes codec`,
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
  return {
    specs,
    rep,
    arrayToArray,
    arrayToBytes,
    bytesToBytes,
    sizes,
    decodesPart: decodesPart(arrayToArray, arrayToBytes, bytesToBytes),
    isStandard: isStandard(registry),
  };
}

/** What is decoded last can stop early, and nothing after it looks at more than the elements that are wanted. */
function decodesPart(
  arrayToArray: readonly BoundArrayToArray[],
  { spec, rep, shard }: BoundArrayToBytes,
  [innermost]: readonly BoundBytesToBytes[],
): boolean {
  const isPlain = spec.name === 'bytes' && shard === undefined && isFixedSize(rep.dtype);
  const onlyPermuted = arrayToArray.every((codec) => codec.permutation !== undefined);
  return isPlain && onlyPermuted && innermost?.decodesPart === true;
}
