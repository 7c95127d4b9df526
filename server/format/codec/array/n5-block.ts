/**
 * `n5_default`: blocks of N5, whose header has their own shape (zarr-extensions, codecs/n5_default; N5 4.0.0, "File-system
 * specification"). Blocks at the edge may be shorter than chunks, and elements outside of a block are the fill value.
 */
import { defined } from '../../../../wire/guards.js';
import type { JsonObject, JsonValue } from '../../../core/bytes/json.js';
import { parseNamed } from '../../../core/bytes/named-json.js';
import { sizeOf, stridesOf } from '../../../core/bytes/shape.js';
import { copyStrided } from '../../../core/bytes/strided-copy.js';
import { fillValues } from '../../../core/bytes/values.js';
import { type FixedSizeType, isFixedSize } from '../../../core/dtype/data-type.js';
import { asValues } from '../../../core/dtype/item-values.js';
import { CodecError, MetadataError, UnsupportedError } from '../../../core/errors.js';
import { assertCodecCount, resolveChain } from '../chain.js';
import type { ArrayToBytesCodec, ChunkRep, CodecChain, CodecRegistry, CodecSpec } from '../codec.js';
import { badOption, checkOptions } from '../configuration.js';
import { decodeChunk, encodeChunk } from '../run-chain.js';
import { mapSize, tooShort } from '../size.js';

const NAME = 'n5_default';
/** Mode of blocks of numbers. The others are of variable length. */
const DEFAULT_MODE = 0;
const types = /^(?:u?int(?:8|16|32|64)|float(?:32|64))$/;
/** Shapes of blocks whose codecs are kept: the whole one, and those at the edges. */
const MAX_KEPT = 16;

export const n5BlockCodec: ArrayToBytesCodec = {
  kind: 'array-to-bytes',
  name: NAME,
  create(configuration, rep, registry) {
    checkOptions(NAME, configuration, ['codecs']);
    const { dtype } = rep;
    if (!types.test(dtype.name) || !isFixedSize(dtype))
      throw new UnsupportedError(`codec "${NAME}": N5 has no data type ${dtype.name}`);
    const specs = parseCodecs(configuration, rep);
    const chainOf = chainsOf(registry, specs, rep);
    const whole = chainOf(rep.shape);
    const stored = defined(whole.sizes.at(-1));
    const headerBytes = 4 + 4 * rep.shape.length;
    return {
      contains: [...specs, ...whole.bytesToBytes.flatMap(({ contains }) => contains ?? [])],
      encodedSize: { kind: 'atMost', bytes: mapSize(stored, (bytes) => bytes + headerBytes).bytes },
      decode(bytes, limit) {
        const shape = readHeader(bytes, rep.shape);
        const chain = chainOf(shape);
        const { values, strides } = decodeChunk(chain, bytes.subarray(headerBytes), limit);
        if (!('bytes' in values)) throw new TypeError('N5 has no values of variable length');
        return { bytes: placed(values.bytes, strides, shape, rep, dtype) };
      },
      encode(values) {
        const encoded = encodeChunk(whole, values);
        const block = new Uint8Array(headerBytes + encoded.length);
        block.set(encoded, headerBytes);
        const header = new DataView(block.buffer);
        header.setUint16(0, DEFAULT_MODE);
        header.setUint16(2, rep.shape.length);
        for (const [d, size] of rep.shape.entries()) header.setUint32(4 + 4 * d, size);
        return block;
      },
    };
  },
};

/** @throws MetadataError unless the codecs are a transposition of all dimensions, big-endian bytes, and at most one more */
function parseCodecs(configuration: JsonObject, { shape, dtype }: ChunkRep): readonly CodecSpec[] {
  const json = configuration['codecs'];
  if (!Array.isArray(json)) throw badOption(NAME, 'codecs', json, 'a list of codecs');
  assertCodecCount(json.length, `codec "${NAME}": "codecs"`);
  const specs = json.map((item: JsonValue, i) => parseNamed(item, `codec "${NAME}": codecs[${i}]`));
  const [transpose, bytes, ...more] = specs;
  const reversed = shape.map((_, d) => shape.length - 1 - d);
  const order = transpose?.configuration['order'];
  if (transpose?.name !== 'transpose' || JSON.stringify(order) !== JSON.stringify(reversed))
    throw new MetadataError(
      `codec "${NAME}": its first codec must be a "transpose" of order [${reversed.join(', ')}]`,
    );
  const isOneByte = dtype.itemSize === 1;
  const endian = bytes?.configuration['endian'];
  if (bytes?.name !== 'bytes' || (endian !== 'big' && !isOneByte))
    throw new MetadataError(`codec "${NAME}": its second codec must be "bytes" with "endian": "big"`);
  if (more.length > 1) throw new MetadataError(`codec "${NAME}": it has more than one compressor`);
  if (shape.length > 0xffff || shape.some((size) => size > 0xffff_ffff))
    throw new MetadataError(`codec "${NAME}": N5 has at most 2^32 - 1 elements per dimension of a block`);
  return specs;
}

/** The codecs of blocks by their shape. */
function chainsOf(
  registry: CodecRegistry,
  specs: readonly CodecSpec[],
  rep: ChunkRep,
): (shape: readonly number[]) => CodecChain {
  const chains = new Map<string, CodecChain>();
  return (shape) => {
    const name = shape.join();
    const known = chains.get(name) ?? resolveChain(registry, specs, { ...rep, shape });
    if (chains.size < MAX_KEPT) chains.set(name, known);
    return known;
  };
}

/** @returns the shape of the block */
function readHeader(bytes: Uint8Array, chunk: readonly number[]): readonly number[] {
  const headerBytes = 4 + 4 * chunk.length;
  if (bytes.length < headerBytes) throw tooShort(NAME, bytes.length, headerBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mode = view.getUint16(0);
  if (mode !== DEFAULT_MODE)
    throw new UnsupportedError(
      `codec "${NAME}": the block has mode ${mode}; only 0, "default", is supported`,
    );
  const rank = view.getUint16(2);
  if (rank !== chunk.length)
    throw new CodecError(`codec "${NAME}": the block has ${rank} dimensions; expected ${chunk.length}`);
  return chunk.map((size, d) => {
    const own = view.getUint32(4 + 4 * d);
    // Larger blocks are not written by anyone, and could exceed the memory that is reserved for a chunk.
    if (own < 1 || own > size)
      throw new CodecError(
        `codec "${NAME}": the block has the length ${own} along dimension ${d}; expected 1 to ${size}`,
      );
    return own;
  });
}

/** Copies a block to the start of a chunk in C order. */
function placed(
  block: Uint8Array,
  strides: readonly number[],
  shape: readonly number[],
  rep: ChunkRep,
  { itemSize }: FixedSizeType,
): Uint8Array {
  const chunk = new Uint8Array(sizeOf(rep.shape) * itemSize);
  const to = stridesOf(rep.shape, itemSize);
  if (shape.some((size, d) => size < defined(rep.shape[d])))
    fillValues(
      asValues(rep.fill, rep.dtype),
      { bytes: chunk },
      0,
      rep.shape.map((count, d) => ({ count, from: 0, to: defined(to[d]) })),
      itemSize,
    );
  const dims = shape.map((count, d) => ({ count, from: defined(strides[d]), to: defined(to[d]) }));
  copyStrided(block, 0, chunk, 0, dims, itemSize);
  return chunk;
}
