import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../server/core/bytes/json.js';
import { loadCodecs } from '../../../../server/format/codec/run-chain.js';
import type { BytesToBytesCodec } from '../../../../server/format/codec/codec.js';
import { resolveChain } from '../../../../server/format/codec/chain.js';
import { createDefaultRegistry } from '../../../../server/format/codec/registry.js';
import { isZarrError } from '../../../../server/core/errors.js';
import { bindArrayToBytes, chunkRep } from '../chunk-rep.js';
import { base64Bytes, fixtureLines } from '../fixture-lines.js';

interface BlockCase {
  readonly writer: string;
  readonly dtype: string;
  readonly chunk: readonly number[];
  readonly codecs: readonly JsonObject[];
  readonly block: string;
  readonly expected: string;
}

const cases = fixtureLines<BlockCase>('codec/n5-blocks.jsonl');
const titled = cases.map((each) => [`${each.writer}, ${each.dtype} ${each.chunk.join('x')}`, each] as const);
const registry = createDefaultRegistry();

async function codecOf({ codecs, dtype, chunk }: BlockCase) {
  const configuration = { codecs: [...codecs] };
  const rep = chunkRep(dtype, chunk);
  await loadCodecs(resolveChain(registry, [{ name: 'n5_default', configuration }], rep));
  return bindArrayToBytes('n5_default', configuration, rep);
}

describe('blocks of other writers', () => {
  test.each(titled)('%s', async (_, given) => {
    const codec = await codecOf(given);
    const values = codec.decode(base64Bytes(given.block), 0);
    expect(values).toEqual({ bytes: base64Bytes(given.expected) });
    const encoded = codec.encode(values);
    expect(codec.decode(encoded, 0)).toEqual(values);
    expect(encoded.length).toBeLessThanOrEqual(codec.encodedSize.bytes);
    // Blocks without a compressor have one form.
    if (given.codecs.length === 2) expect(encoded).toEqual(base64Bytes(given.block));
  });
});

describe('invalid blocks', async () => {
  const [raw] = cases;
  if (raw === undefined) throw new Error('no cases');
  const codec = await codecOf(raw);
  const changed = (change: (view: DataView) => void): Uint8Array => {
    const bytes = base64Bytes(raw.block);
    change(new DataView(bytes.buffer));
    return bytes;
  };
  test.each([
    ['empty', new Uint8Array(0)],
    ['shorter than the header', base64Bytes(raw.block).slice(0, 15)],
    ['shorter than the values', base64Bytes(raw.block).slice(0, -1)],
    ['longer than the values', new Uint8Array([...base64Bytes(raw.block), 0])],
    ['variable length', changed((view) => view.setUint16(0, 1))],
    ['other rank', changed((view) => view.setUint16(2, 2))],
    ['an empty dimension', changed((view) => view.setUint32(4, 0))],
    ['larger than the chunk', changed((view) => view.setUint32(4, 5))],
    ['much larger', changed((view) => view.setUint32(4, 0xffff_ffff))],
    ['other shape than its values', changed((view) => view.setUint32(4, 3))],
  ])('%s', (_, bytes) => {
    let error: unknown;
    try {
      codec.decode(bytes, 0);
    } catch (caught) {
      error = caught;
    }
    expect(isZarrError(error, 'CODEC_ERROR', 'UNSUPPORTED')).toBe(true);
  });
});

const big = { name: 'bytes', configuration: { endian: 'big' } };
const reversed = { name: 'transpose', configuration: { order: [1, 0] } };
test.each([
  ['no codecs', 'int16', []],
  ['no transposition', 'int16', [big]],
  ['another order', 'int16', [{ name: 'transpose', configuration: { order: [0, 1] } }, big]],
  ['little-endian', 'int16', [reversed, { name: 'bytes', configuration: { endian: 'little' } }]],
  ['two compressors', 'int16', [reversed, big, 'gzip', 'gzip']],
  ['itself', 'int16', [reversed, big, { name: 'n5_default', configuration: { codecs: [reversed, big] } }]],
  ['a type that N5 lacks', 'complex64', [reversed, big]],
  ['text', 'string', [reversed, big]],
])('%s is rejected', (_, dtype, codecs) => {
  expect(() => bindArrayToBytes('n5_default', { codecs }, chunkRep(dtype, [2, 3]))).toThrow(
    /n5_default|codec/,
  );
});

test('threads must know the codecs within its compressor too', () => {
  const own: BytesToBytesCodec = {
    kind: 'bytes-to-bytes',
    name: 'acme.own',
    create: () => ({ encodedSize: (size) => size, encode: (bytes) => bytes, decode: (bytes) => bytes }),
  };
  const standardWith = (inner: string): boolean => {
    const conditional = { name: 'conditional', configuration: { codecs: [inner] } };
    const spec = { name: 'n5_default', configuration: { codecs: [reversed, big, conditional] } };
    const added = createDefaultRegistry([['acme.own', own]]);
    return resolveChain(added, [spec], chunkRep('int16', [2, 3])).isStandard;
  };
  expect(standardWith('zstd')).toBe(true);
  expect(standardWith('acme.own')).toBe(false);
});
