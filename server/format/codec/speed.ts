/**
 * Rough decoding times, which determine whether a chunk is sent to a thread. In nanoseconds per decoded
 * byte, measured on one core of a server from 2024.
 */
import type { BoundCodec, CodecChain, CodecSpec } from './codec.js';

const nsPerByte: Readonly<Record<string, number>> = {
  zstd: 1.7,
  gzip: 2.1,
  zlib: 2.1,
  bz2: 30,
  lzma: 12,
  lz4: 0.3,
  packbits: 15,
  pcodec: 0.8,
  adler32: 1,
  fletcher32: 1.2,
  jenkins_lookup3: 1.5,
  shuffle: 1,
  delta: 2,
  fixedscaleoffset: 4,
  quantize: 2,
  astype: 3,
  base64: 2,
  scale_offset: 5,
  cast_value: 5,
  n5_default: 3,
};

/** The speed of blosc depends on its inner compressor. */
const bloscNsPerByte: Readonly<Record<string, number>> = {
  zstd: 1.2,
  zlib: 2,
  blosclz: 0.3,
  lz4: 0.2,
  lz4hc: 0.2,
};

/** Rough encoding time in nanoseconds per byte; depends on the level if the codec has one. */
function specEncodingNsPerByte({ name, configuration }: CodecSpec): number {
  const plain = name.replace(/^numcodecs\./, '');
  const { level, clevel, preset, cname } = configuration;
  const option = [level, clevel, preset].find((value) => typeof value === 'number');
  const effort = typeof option === 'number' ? option : 9;
  switch (plain === 'blosc' ? cname : plain) {
    case 'zstd':
      return effort <= 3 ? 4 : effort <= 9 ? 25 : effort <= 15 ? 100 : 600;
    case 'gzip':
    case 'zlib':
      return effort >= 0 && effort <= 3 ? 12 : 60;
    case 'bz2':
      return 300;
    case 'lzma':
      return 600;
    case 'lz4hc':
      return 40;
    default:
      return 2 * specNsPerByte({ name, configuration });
  }
}

/** Rough time to encode a chunk, in nanoseconds per byte. A shard takes as long as its inner chunks. */
export function encodingNsPerByte(chain: CodecChain): number {
  const inner = chain.arrayToBytes.shard?.chain;
  const own = codecsOf(chain).map((codec) =>
    codec.nsPerByte === undefined
      ? sum([codec.spec, ...containedIn(codec)].map(specEncodingNsPerByte))
      : 2 * codec.nsPerByte,
  );
  return sum(own) + (inner === undefined ? 0 : encodingNsPerByte(inner));
}

/**
 * Rough time to decode a chunk, in nanoseconds per byte. Codecs without an entry count as 0. A shard takes as
 * long as its inner chunks.
 */
export function decodingNsPerByte(chain: CodecChain): number {
  const known = decodingTimes.get(chain) ?? sumOfDecoding(chain);
  decodingTimes.set(chain, known);
  return known;
}

const decodingTimes = new WeakMap<CodecChain, number>();

function sumOfDecoding(chain: CodecChain): number {
  const inner = chain.arrayToBytes.shard?.chain;
  const own = codecsOf(chain).map(
    (codec) => codec.nsPerByte ?? sum([codec.spec, ...containedIn(codec)].map(specNsPerByte)),
  );
  return sum(own) + (inner === undefined ? 0 : decodingNsPerByte(inner));
}

function containedIn(codec: BoundCodec): readonly CodecSpec[] {
  return codec.kind === 'array-to-array' ? [] : (codec.contains ?? []);
}

function codecsOf({ arrayToArray, arrayToBytes, bytesToBytes }: CodecChain): readonly BoundCodec[] {
  return [...arrayToArray, arrayToBytes, ...bytesToBytes];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function specNsPerByte({ name, configuration }: CodecSpec): number {
  const plain = name.replace(/^numcodecs\./, '');
  if (plain !== 'blosc') return nsPerByte[plain] ?? 0;
  const { cname } = configuration;
  return (typeof cname === 'string' ? bloscNsPerByte[cname] : undefined) ?? 0.3;
}
