/** Which codec a name means. */
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
import { type BindCodec, bindable, type CodecRegistry, markStandard } from './codec.js';
import { asTypeFilter } from './filter/astype.js';
import { bitRoundFilter } from './filter/bitround.js';
import { castValueFilter } from './filter/cast-value.js';
import { deltaFilter } from './filter/delta.js';
import { packBitsFilter } from './filter/packbits.js';
import { scaleOffsetFilter } from './filter/scale-offset.js';
import { fixedScaleOffsetFilter, quantizeFilter } from './filter/fixed-scale.js';
import { arrayFilter, bytesFilter, numcodecsFill } from './filter/filter.js';
import { gzipCodec, zlibCodec } from './compression/gzip.js';
import { json2Codec } from './object/json2.js';
import { lz4Codec } from './compression/lz4.js';
import { lzmaCodec } from './compression/lzma.js';
import { msgpack2Codec } from './object/msgpack2.js';
import { packBitsCodec } from './array/packbits.js';
import { refusePickle } from './object/pickle.js';
import { createShardingCodec } from '../sharding/codec.js';
import { shuffleCodec } from './filter/shuffle.js';
import { transposeCodec } from './array/transpose.js';
import { vlenArrayCodec } from './object/vlen-array.js';
import { vlenBytesCodec, vlenUtf8Codec } from './object/vlen.js';
import { numcodecsZstdCodec, zstdCodec } from './compression/zstd.js';

/** Codecs that v2 and v3 know by the same name: `zlib` in v2 is `numcodecs.zlib` in v3. */
const numcodecs: Readonly<Record<string, BindCodec>> = {
  adler32: bindable(adler32Codec),
  base64: bindable(base64Codec),
  blosc: bindable(numcodecsBloscCodec),
  bz2: bindable(bzip2Codec),
  categorize: bindable(categorizeCodec),
  crc32: bindable(crc32Codec),
  crc32c: bindable(crc32cCodec),
  fletcher32: bindable(fletcher32Codec),
  gzip: bindable(gzipCodec),
  jenkins_lookup3: bindable(jenkinsLookup3Codec),
  json2: bindable(json2Codec),
  lz4: bindable(lz4Codec),
  lzma: bindable(lzmaCodec),
  msgpack2: bindable(msgpack2Codec),
  pickle: refusePickle,
  shuffle: bindable(shuffleCodec),
  'vlen-array': bindable(vlenArrayCodec),
  'vlen-bytes': bindable(vlenBytesCodec),
  'vlen-utf8': bindable(vlenUtf8Codec),
  zlib: bindable(zlibCodec),
  zstd: bindable(numcodecsZstdCodec),
};

/** Over arrays in v3 (`numcodecs.delta`), over bytes in v2 (`v2.delta`). */
const filters = [
  asTypeFilter,
  bitRoundFilter,
  deltaFilter,
  fixedScaleOffsetFilter,
  packBitsFilter,
  quantizeFilter,
];

/** Names of v3's specification and its extensions; where numcodecs has the same name, this one wins. */
const core: Readonly<Record<string, BindCodec>> = {
  bitround: bindable(arrayFilter(bitRoundFilter)),
  blosc: bindable(bloscCodec),
  bytes: bindable(bytesCodec),
  cast_value: bindable(arrayFilter(castValueFilter)),
  packbits: bindable(packBitsCodec),
  scale_offset: bindable(arrayFilter(scaleOffsetFilter)),
  transpose: bindable(transposeCodec),
  zstd: bindable(zstdCodec),
};

/**
 * A registry of every codec here: v3's names, numcodecs' own (`zlib`, also as `numcodecs.zlib`), and `v2.*` for
 * filters that v2 runs over bytes where v3 runs them over arrays.
 * @param more entries of the caller's; they win over those of the same name
 */
export function createDefaultRegistry(more: Iterable<readonly [string, BindCodec]> = []): CodecRegistry {
  const registry = new Map<string, BindCodec>();
  for (const [name, bind] of Object.entries(numcodecs))
    registry.set(name, bind).set(`numcodecs.${name}`, bind);
  for (const filter of filters) {
    registry.set(`numcodecs.${filter.name}`, bindable(arrayFilter(filter, numcodecsFill)));
    registry.set(`v2.${filter.name}`, bindable(bytesFilter(filter)));
  }
  for (const [name, bind] of Object.entries(core)) registry.set(name, bind);
  // Inner chunks find their codecs here too, the caller's included.
  registry.set('sharding_indexed', bindable(createShardingCodec(() => registry)));
  const entries = [...more];
  for (const [name, bind] of entries) registry.set(name, bind);
  if (entries.length === 0) markStandard(registry);
  return registry;
}

/** The names that can be decoded, in alphabetical order; without those that only stand for v2 filters, and pickle. */
export function codecNames(registry: CodecRegistry): readonly string[] {
  const hidden = /^v2\.|^(numcodecs\.)?pickle$/;
  return [...registry.keys()].filter((name) => !hidden.test(name)).toSorted();
}
