/**
 * `conditional`: codecs each of which may be left out of a chunk, as bits at its start tell (zarr-extensions,
 * codecs/conditional). A writer decides; here, a compressor is left out if its result is not shorter.
 */
import { defined } from '../../../../wire/guards.js';
import type { JsonObject, JsonValue } from '../../../core/bytes/json.js';
import { parseNamed } from '../../../core/bytes/named-json.js';
import { CodecError, LimitError, MetadataError, UnsupportedError } from '../../../core/errors.js';
import { bindCodec, assertCodecCount } from '../chain.js';
import type { BoundBytesToBytes, BytesToBytesCodec, ChunkRep, CodecRegistry, Size } from '../codec.js';
import { badOption, checkOptions, readInteger } from '../configuration.js';
import { atMost, checkSize, copyInto, mapSize, tooShort } from '../size.js';

const NAME = 'conditional';
const MAX_HEADER_BITS = 2 ** 16;
/** Codecs that enlarge their input, one after the other, could need any memory. */
const mostWithin = (decodedBytes: number): number => 2 * decodedBytes + 2 ** 16;

export const conditionalCodec: BytesToBytesCodec = {
  kind: 'bytes-to-bytes',
  name: NAME,
  create(configuration, rep, registry) {
    checkOptions(NAME, configuration, ['codecs', 'header_bits']);
    const codecs = parseCodecs(configuration['codecs'], rep, registry);
    const headerBytes = readHeaderBits(configuration, codecs.length) / 8;
    return {
      contains: codecs.map(({ spec }) => spec),
      encodedSize: (decoded) => mapSize(largestSize(codecs, decoded), (bytes) => bytes + headerBytes),
      decode(bytes, size, into) {
        if (bytes.length < headerBytes) throw tooShort(NAME, bytes.length, headerBytes);
        const isApplied = appliedIn(bytes.subarray(0, headerBytes), codecs.length);
        return decodeApplied(
          codecs.filter((_, i) => isApplied[i]),
          bytes.subarray(headerBytes),
          size,
          into,
        );
      },
      encode(bytes) {
        const header = new Uint8Array(headerBytes);
        let current = bytes;
        for (const [i, codec] of codecs.entries()) {
          const encoded = codec.encode(current);
          const isFixed = codec.encodedSize({ kind: 'exact', bytes: current.length }).kind === 'exact';
          if (!isFixed && encoded.length >= current.length) continue;
          assertWithin(encoded.length, bytes.length);
          current = encoded;
          header[i >> 3] |= 1 << (i & 7);
        }
        const result = new Uint8Array(headerBytes + current.length);
        result.set(header);
        result.set(current, headerBytes);
        return result;
      },
    };
  },
};

function parseCodecs(
  json: JsonValue | undefined,
  rep: ChunkRep,
  registry: CodecRegistry,
): readonly BoundBytesToBytes[] {
  if (!Array.isArray(json)) throw badOption(NAME, 'codecs', json, 'a list of codecs');
  assertCodecCount(json.length, `codec "${NAME}": "codecs"`);
  return json.map((item: JsonValue, i) => {
    const spec = parseNamed(item, `codec "${NAME}": codecs[${i}]`);
    const codec = registry.codecs.get(spec.name);
    if (codec === undefined) throw new UnsupportedError(`unknown codec "${spec.name}"`);
    // It would allow chunks to be decoded again and again.
    if (codec === conditionalCodec) throw new UnsupportedError(`codec "${NAME}": it cannot contain itself`);
    if (codec.kind !== 'bytes-to-bytes')
      throw new MetadataError(`codec "${NAME}": "${spec.name}" does not convert bytes to bytes`);
    const bound = bindCodec(codec, spec, rep, registry);
    if (bound.kind !== 'bytes-to-bytes') throw new TypeError('the kind of the codec changed');
    return bound;
  });
}

function readHeaderBits(configuration: JsonObject, count: number): number {
  const least = Math.ceil(count / 8) * 8;
  const bits = readInteger(NAME, configuration, 'header_bits', {
    min: count,
    max: MAX_HEADER_BITS,
    absent: least,
  });
  if (bits % 8 !== 0) throw badOption(NAME, 'header_bits', bits, 'a multiple of 8');
  return bits;
}

/** Bit 0 of the first byte is for the first codec. */
function appliedIn(header: Uint8Array, count: number): readonly boolean[] {
  const bitAt = (i: number): boolean => (defined(header[i >> 3]) & (1 << (i & 7))) !== 0;
  for (let i = count; i < header.length * 8; i++)
    if (bitAt(i))
      throw new CodecError(`codec "${NAME}": the chunk uses codec ${i}, but the metadata lists ${count}`);
  return Array.from({ length: count }, (_, i) => bitAt(i));
}

function decodeApplied(
  applied: readonly BoundBytesToBytes[],
  stored: Uint8Array,
  size: Size,
  into: Uint8Array | undefined,
): Uint8Array {
  const sizes = [size];
  for (const codec of applied.slice(0, -1)) {
    const next = codec.encodedSize(defined(sizes.at(-1)));
    if (next.kind === 'exact') assertWithin(next.bytes, size.bytes);
    sizes.push({ kind: next.kind, bytes: Math.min(next.bytes, mostWithin(size.bytes)) });
  }
  let bytes = stored;
  for (let i = applied.length - 1; i >= 0; i--)
    bytes = defined(applied[i]).decode(bytes, defined(sizes[i]), i === 0 ? into : undefined);
  if (applied.length > 0) return bytes;
  checkSize(NAME, stored.length, size);
  return copyInto(stored, into);
}

/** @throws LimitError for a size between two codecs that is too large for the chunk */
function assertWithin(bytes: number, decodedBytes: number): void {
  const allowed = mostWithin(decodedBytes);
  if (bytes <= allowed) return;
  throw new LimitError(
    `codec "${NAME}": its codecs enlarge a chunk of ${decodedBytes} bytes to ${bytes}; at most ${allowed} are allowed`,
    { excess: [{ limit: NAME, allowed, needed: bytes }] },
  );
}

/** The largest size that any choice of codecs produces, also between them. */
function largestSize(codecs: readonly BoundBytesToBytes[], decoded: Size): Size {
  if (codecs.length === 0) return decoded;
  let most = decoded.bytes;
  for (const codec of codecs) most = Math.max(most, codec.encodedSize(atMost(most)).bytes);
  return atMost(Math.min(most, mostWithin(decoded.bytes)));
}
