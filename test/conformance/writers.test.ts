/**
 * Arrays of other writers (fixtures/writers/make_writers.py), arrays from the test suites of other implementations, and
 * malformed stores.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toTypedArray } from '../../server/core/dtype/arrays.js';
import { openHierarchy, isZarrError, type ZarrErrorCode } from '../../server/zarr/index.js';
import { fixtures } from '../setup/fixtures.js';
import { expectCase, readCases, openCase, openFixture } from './cases.js';

const root = `${fixtures}writers`;
const cases = readCases('writers');

describe('values that other writers read back', () => {
  test('the fixtures contain the expected cases', () => expect(cases.length).toBeGreaterThan(12));
  test.each(cases.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(root, c));
});

// libnetcdf writes an elementsize of 0 and shuffles by the size of the data type; numcodecs interprets 0 as
// "not shuffled".
describe("libnetcdf's shuffle of 0", () => {
  const shuffled = readCases('writers', 'netcdf-shuffle.jsonl').map((c) => [c.id, c] as const);

  async function valuesOf(path: string, node: string, netcdfShuffle?: boolean) {
    const array = await openHierarchy(await openFixture(`${root}/${path}`), { netcdfShuffle }).array(node);
    const block = await array.select({ kind: 'all' }).read();
    return 'bytes' in block ? Buffer.from(block.bytes).toString('base64') : '';
  }

  test.each(shuffled)('follows libnetcdf by default: %s', async (_, { path, node, expected }) => {
    expect(await valuesOf(path, node)).toBe(expected);
  });

  test.each(shuffled)(
    'follows libnetcdf with netcdfShuffle: true: %s',
    async (_, { path, node, expected }) => {
      expect(await valuesOf(path, node, true)).toBe(expected);
    },
  );

  test.each(shuffled)(
    'follows numcodecs with netcdfShuffle: false: %s',
    async (_, { path, node, expected }) => {
      expect(await valuesOf(path, node, false)).not.toBe(expected);
    },
  );
});

describe('peers', () => {
  const cases = readCases('peers');

  describe('peers: values that another reader confirms', () => {
    const known = cases.filter((c) => c.expected !== null);
    test('the fixtures contain the expected cases', () => expect(known.length).toBeGreaterThan(100));
    test.each(known.map((c) => [c.id, c] as const))('%s', (_, c) => expectCase(`${fixtures}peers`, c));
  });

  describe('peers: types and codecs that only some implementations have', () => {
    const foreign = cases.filter((c) => c.expected === null && /zfpy|optional/.test(c.id));
    test('the fixtures contain the expected cases', () => expect(foreign.length).toBe(4));
    test.each(foreign.map((c) => [c.id, c] as const))(
      '%s: opens, its values are UNSUPPORTED',
      async (_, c) => {
        const array = await openCase(`${fixtures}peers`, c);
        expect(array.shape).toEqual(c.shape);
        expect(array.meta.codecs.length).toBeGreaterThan(0);
        await expect(array.select({ kind: 'all' }).read()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      },
    );
  });

  describe('peers: json2 objects, which no current Python reader opens', () => {
    const objects = cases.filter((c) => c.id.includes('json2'));
    test('the fixtures contain the expected cases', () => expect(objects.length).toBe(2));
    // The chunk is plain text: ["foo","bar","baz","qux","|O",[4]]
    test.each(objects.map((c) => [c.id, c] as const))('%s', async (_, c) => {
      const block = await (await openCase(`${fixtures}peers`, c)).select({ kind: 'all' }).read();
      expect('items' in block && toTypedArray(block)).toEqual(['foo', 'bar', 'baz', 'qux']);
    });
  });

  test('peers: a storage transformer is rejected', async () => {
    const store = await openFixture(`${fixtures}peers/zarr-java/storage_transformer-exists.zarr`);
    const error = await openHierarchy(store)
      .array('/')
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: expect.stringMatching(/^(UNSUPPORTED|INVALID_METADATA)$/) });
    expect(String(error)).toContain('storage_transformers');
  });
});

describe('malformed stores', () => {
  interface BadCase {
    readonly id: string;
    readonly path: string;
    readonly node: string;
    readonly expected_error: string;
    readonly accept: string[];
    readonly level: 'must' | 'should' | 'may';
    readonly why: string;
  }

  const codes: Readonly<Record<string, readonly ZarrErrorCode[]>> = {
    metadata: ['INVALID_METADATA'],
    codec: ['CODEC_ERROR'],
    checksum: ['CHECKSUM_MISMATCH'],
    limits: ['LIMIT_EXCEEDED'],
    unsupported: ['UNSUPPORTED'],
    path: ['BAD_INPUT'],
  };

  const folder = `${fixtures}bad/`;
  const cases = readFileSync(`${folder}cases.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BadCase);

  /** Limits like those of a gateway. */
  const limits = {
    maxOutputBytes: 2 ** 26,
    maxDecodedBytes: 2 ** 30,
    maxChunks: 100_000,
    maxReducedBytes: 2 ** 40,
    maxWork: 1e15,
  };

  /** Reads all values of an array, or lists a group and opens its nodes. */
  async function readAll(c: BadCase): Promise<void> {
    const hierarchy = openHierarchy(await openFixture(folder + c.path), { limits });
    const node = await hierarchy.node(c.node);
    if (node === undefined || node.kind === 'group') {
      for await (const entry of hierarchy.walk(node?.path ?? '/', { recursive: true })) entry.open();
      return;
    }
    await node.select({ kind: 'all' }).read();
  }

  describe('a read fails with the right code, in bounded memory', () => {
    test.each(cases.map((c) => [`${c.id}: ${c.why}`, c] as const))('%s', async (_, c) => {
      const before = process.memoryUsage().rss;
      const error = await readAll(c).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
      if (error === undefined) {
        expect(c.level).not.toBe('must');
        return;
      }
      if (!isZarrError(error)) throw new Error('not an error of the engine', { cause: error });
      if (c.level === 'may') return;
      expect([c.expected_error, ...c.accept].flatMap((name) => codes[name] ?? [])).toContain(error.code);
    });
  });
});
