/** Registries of codecs by name. */
import { base64Codec } from './filter/base64.js';
import { bloscCodec, numcodecsBloscCodec } from './compression/blosc.js';
import { bytesCodec } from './array/bytes.js';
import { bzip2Codec } from './compression/bzip2.js';
import {
  adler32Codec,
  crc32cCodec,
  crc32Codec,
  fletcher32Codec,
  jenkinsLookup3Codec,
} from './checksum/codecs.js';
import { categorizeCodec } from './object/categorize.js';
import { InputError } from '../../core/errors.js';
import { isCodec, type Codec, type CodecRegistry } from './codec.js';
import { asTypeFilter } from './filter/astype.js';
import { bitRoundFilter } from './filter/bitround.js';
import { castValueFilter } from './filter/cast-value.js';
import { deltaFilter } from './filter/delta.js';
import { packBitsFilter } from './filter/packbits.js';
import { scaleOffsetFilter } from './filter/scale-offset.js';
import { fixedScaleOffsetFilter, quantizeFilter } from './filter/fixed-scale.js';
import { arrayFilter, bytesFilter, numcodecsFill } from './filter/filter.js';
import { gzipCodec, zlibCodec } from './compression/deflate.js';
import { json2Codec } from './object/json2.js';
import { lz4Codec } from './compression/lz4.js';
import { conditionalCodec } from './compression/conditional.js';
import { lzmaCodec } from './compression/lzma.js';
import { msgpack2Codec, pickleCodec } from './object/msgpack2.js';
import { pcodecCodec, pcodecOfBytes } from './compression/pcodec.js';
import { n5BlockCodec } from './array/n5-block.js';
import { packBitsCodec } from './array/packbits.js';
import { reshapeCodec } from './array/reshape.js';
import { shardingCodec } from './sharding/codec.js';
import { shuffleCodec } from './filter/shuffle.js';
import { transposeCodec } from './array/transpose.js';
import { WIDENED, widenedCodec } from './array/widened.js';
import { vlenBytesCodec, vlenUtf8Codec } from './object/vlen.js';
import { vlenArrayCodec } from './object/vlen-array.js';
import { numcodecsZstdCodec, zstdCodec } from './compression/zstd.js';

/** numcodecs' codecs that do the same in v2 and v3. In v3, `zlib` is `numcodecs.zlib`. */
const numcodecs: Readonly<Record<string, Codec>> = {
  adler32: adler32Codec,
  base64: base64Codec,
  blosc: numcodecsBloscCodec,
  bz2: bzip2Codec,
  categorize: categorizeCodec,
  crc32: crc32Codec,
  crc32c: crc32cCodec,
  fletcher32: fletcher32Codec,
  gzip: gzipCodec,
  jenkins_lookup3: jenkinsLookup3Codec,
  json2: json2Codec,
  lz4: lz4Codec,
  lzma: lzmaCodec,
  msgpack2: msgpack2Codec,
  pcodec: pcodecCodec,
  pickle: pickleCodec,
  shuffle: shuffleCodec,
  'vlen-array': vlenArrayCodec,
  'vlen-bytes': vlenBytesCodec,
  'vlen-utf8': vlenUtf8Codec,
  zlib: zlibCodec,
  zstd: numcodecsZstdCodec,
};

/** Filters, which operate on arrays in v3 (`numcodecs.delta`) and on bytes in v2 (`v2.delta`). */
const filters = [
  asTypeFilter,
  bitRoundFilter,
  deltaFilter,
  fixedScaleOffsetFilter,
  packBitsFilter,
  quantizeFilter,
];

/** Names of v3's specification and its extensions, which take precedence over numcodecs' names. */
const core: Readonly<Record<string, Codec>> = {
  bitround: arrayFilter(bitRoundFilter),
  blosc: bloscCodec,
  bytes: bytesCodec,
  // The name of `bytes` in drafts of v3.
  endian: bytesCodec,
  cast_value: arrayFilter(castValueFilter),
  conditional: conditionalCodec,
  n5_default: n5BlockCodec,
  packbits: packBitsCodec,
  reshape: reshapeCodec,
  scale_offset: arrayFilter(scaleOffsetFilter),
  sharding_indexed: shardingCodec,
  transpose: transposeCodec,
  zstd: zstdCodec,
};

/** All codecs of this package, by every name used in metadata. */
const builtIn: ReadonlyMap<string, Codec> = new Map([
  ...Object.entries(numcodecs).flatMap(([name, codec]) => [
    [name, codec] as const,
    [`numcodecs.${name}`, codec] as const,
  ]),
  ...filters.flatMap((filter) => [
    [`numcodecs.${filter.name}`, arrayFilter(filter, numcodecsFill)] as const,
    [`v2.${filter.name}`, bytesFilter(filter)] as const,
  ]),
  ['v2.pcodec', pcodecOfBytes],
  [WIDENED, widenedCodec],
  ...Object.entries(core),
]);

/**
 * A registry of every built-in codec: v3 names, numcodecs names (`zlib`, also as `numcodecs.zlib`), and
 * `v2.*` for filters that operate on bytes in v2 and on arrays in v3.
 * @param more additional codecs by name; they replace built-in codecs of the same name
 * @throws InputError if an entry is not a codec, or its module has a relative URL
 * @example
 * const registry = createDefaultRegistry([['acme.xor', xorCodec]]);
 * const hierarchy = openHierarchy(store, { registry });
 */
export function createDefaultRegistry(more: Iterable<readonly [string, Codec]> = []): CodecRegistry {
  const added = new Map(more);
  for (const [name, codec] of added) checkAdded(name, codec);
  return {
    codecs: new Map([...builtIn, ...added]),
    builtIn: new Set([...builtIn.keys()].filter((name) => !added.has(name))),
  };
}

function checkAdded(name: string, codec: Codec): void {
  if (!isCodec(codec)) throw new InputError(`codec "${name}": expected an object with kind, name and create`);
  const { module } = codec;
  // A decoding thread cannot resolve a relative URL.
  if (module !== undefined && /^\.{0,2}\//.test(String(module.url)))
    throw new InputError(`codec "${name}": the URL of its module must be absolute, or the name of a package`);
}

/** The names of the supported codecs in alphabetical order, without internal names (`v2.*`, `internal.*`) and pickle. */
export function codecNames({ codecs }: CodecRegistry): readonly string[] {
  const hidden = /^(v2|internal)\.|^(numcodecs\.)?pickle$/;
  return [...codecs.keys()].filter((name) => !hidden.test(name)).toSorted();
}
