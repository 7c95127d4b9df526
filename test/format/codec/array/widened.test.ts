/** Small numbers and long doubles, read as wider ones: by ml_dtypes, tensorstore and NumPy (fixtures/small-numbers). */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { smallNumber } from '../../../../server/core/dtype/small-numbers.js';
import { widenStored } from '../../../../server/format/codec/array/widen-numbers.js';
import {
  createMemoryStore,
  elementAt,
  type JsonValue,
  openHierarchy,
  type ZarrArray,
} from '../../../../server/zarr/index.js';
import { fixtures } from '../../../setup/fixtures.js';

interface Fixture {
  readonly tables: Readonly<Record<string, string>>;
  readonly cases: readonly {
    readonly id: string;
    readonly stored: string;
    readonly dtype: string;
    readonly files: Readonly<Record<string, string>>;
    readonly expected: string;
  }[];
  readonly longDoubles: { readonly raw: string; readonly expected: string; readonly beyond: string };
}
const { tables, cases, longDoubles }: Fixture = JSON.parse(
  readFileSync(`${fixtures}small-numbers/small-numbers.json`, 'utf8'),
);

describe('the values of all codes', () => {
  test.each(Object.entries(tables))('%s', (name, expected) => {
    const small = smallNumber(name);
    if (small === undefined) throw new Error(`${name} is not a small number`);
    const { bits, storedBytes } = small.part;
    const codes = Uint8Array.from({ length: 2 ** bits * storedBytes }, (_, i) =>
      storedBytes === 1 ? i : ((i >> 1) >> (8 * (i & 1))) & 0xff,
    );
    const values = widenStored(codes, small);
    expect(small.widened.name).toBe(name.includes('float') ? 'float32' : name.replace(/\d/, '8'));
    if (bits > 8) expect(createHash('sha256').update(values).digest('hex')).toBe(expected);
    else expect(Buffer.from(values).toString('base64')).toBe(expected);
    // Bits above those of the number are ignored.
    if (bits < 8) expect(widenStored(codes.map((code) => code | (1 << bits)), small)).toEqual(values); // prettier-ignore
  });
});

describe('arrays that tensorstore wrote', () => {
  test.each(cases)('$id', async ({ stored, dtype, files, expected }) => {
    const store = createMemoryStore({ label: 'm' });
    for (const [key, bytes] of Object.entries(files)) await store.set(key, Buffer.from(bytes, 'base64'));
    const array = await openHierarchy(store).array('/');
    expect(array.meta.storedType).toBe(stored);
    expect(array.meta.dtypeName).toBe(dtype);
    const block = await array.select().read();
    expect('bytes' in block && Buffer.from(block.bytes).toString('base64')).toBe(expected);
    // A part, which is within a shard or a chunk.
    const dims = [{ kind: 'index', index: 1 }, { kind: 'slice', start: 3, stop: 6 }] as const; // prettier-ignore
    const part = await array.select({ kind: 'dims', dims }).read();
    const itemBytes = dtype === 'int8' ? 1 : 4;
    const all = Buffer.from(expected, 'base64');
    expect('bytes' in part && Buffer.from(part.bytes)).toEqual(all.subarray(12 * itemBytes, 15 * itemBytes));
    await expect(array.select().write(2)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

async function opened(
  document: object,
  chunks: Readonly<Record<string, Uint8Array>> = {},
): Promise<ZarrArray> {
  const store = createMemoryStore({ label: 'm' });
  const key = 'data_type' in document ? 'zarr.json' : '.zarray';
  await store.set(key, Buffer.from(JSON.stringify(document)));
  for (const [name, bytes] of Object.entries(chunks)) await store.set(name, bytes);
  return openHierarchy(store).array('/');
}

const v3 = (
  type: JsonValue,
  fill: JsonValue,
  codecs: JsonValue[] = [{ name: 'bytes', configuration: { endian: 'little' } }],
  shape = [4],
): object => ({
  ...{ zarr_format: 3, node_type: 'array', shape, data_type: type, fill_value: fill, codecs },
  chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
  chunk_key_encoding: { name: 'default' },
});

async function valuesOf(array: ZarrArray): Promise<unknown[]> {
  const block = await array.select().read();
  return Array.from({ length: array.shape[0] ?? 0 }, (_, i) => elementAt(block, i));
}

describe('fill values', () => {
  test.each([
    ['bfloat16', '0x7fc0', NaN],
    ['bfloat16', 'NaN', NaN],
    ['bfloat16', '-Infinity', -Infinity],
    ['bfloat16', 0.1, 0.10009765625],
    ['float8_e4m3', '0x7c', NaN],
    ['float8_e4m3fn', 'NaN', NaN],
    ['float8_e5m2fnuz', 3, 3],
    ['float8_e8m0fnu', '0x80', 2],
    ['float4_e2m1fn', -6, -6],
    ['int4', -8, -8],
    ['uint2', 3, 3],
  ])('%s %j', async (type, fill, expected) => {
    const values = await valuesOf(await opened(v3(type, fill)));
    expect(values).toEqual(Array.from({ length: 4 }, () => expected));
  });

  test.each([
    ['int4', 8],
    ['int4', -9],
    ['uint2', 4],
    ['int4', 1.5],
    ['float8_e4m3fn', 'Infinity'],
    ['float4_e2m1fn', 'NaN'],
    ['float4_e2m1fn', 7],
    ['float8_e4m3', '0x7c00'],
  ])('%s has no %j', async (type, fill) => {
    await expect(opened(v3(type, fill))).rejects.toMatchObject({ code: 'INVALID_METADATA' });
  });
});

test('packbits stores 4 bits of int4, and complex numbers have a byte order for each part', async () => {
  const chunk = { 'c/0': Uint8Array.of(0x8f, 0x71) };
  expect(await valuesOf(await opened(v3('int4', 0, [{ name: 'packbits' }]), chunk))).toEqual([-1, -8, 1, 7]);
  const big = { name: 'bytes', configuration: { endian: 'big' } };
  const complex = { 'c/0': Uint8Array.of(0x3f, 0x80, 0xc0, 0) };
  expect(await valuesOf(await opened(v3('complex_bfloat16', [0, 0], [big], [1]), complex))).toEqual([
    [1, -2],
  ]);
});

test('the internal codec requires its own data type', async () => {
  const codecs = [
    { name: 'internal.widened', configuration: { type: 'bfloat16', fill: [0, 0] } },
    { name: 'bytes', configuration: { endian: 'little' } },
  ];
  await expect(opened(v3('float64', 0, codecs))).rejects.toThrow('requires data type float32');
});

describe('long doubles', () => {
  const v2 = (count: number): object => ({
    ...{ zarr_format: 2, shape: [count], chunks: [count], dtype: '<f16', compressor: null, filters: null },
    ...{ order: 'C', fill_value: 0 },
  });

  test('are rounded to float64', async () => {
    const raw = Buffer.from(longDoubles.raw, 'base64');
    const array = await opened(v2(raw.length / 16), { '0': raw });
    expect(array.meta.storedType).toBe('<f16');
    const expected = Uint8Array.from(Buffer.from(longDoubles.expected, 'base64'));
    expect(await valuesOf(array)).toEqual([...new Float64Array(expected.buffer)]);
  });

  test.each([
    ['beyond float64', Buffer.from(longDoubles.beyond, 'base64'), 'beyond the range'],
    ['of 128 bits', Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x3f]), 'another processor'],
    ['without the first digit', Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x3f, 0, 0, 0, 0, 0, 0]), 'another processor'],
  ])('%s are refused', async (_, bytes, message) => {
    const array = await opened(v2(1), { '0': bytes });
    await expect(array.select().read()).rejects.toThrow(message);
  });
}); // prettier-ignore
