/** Direct reads transform elements like the pipeline. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  numberType,
  parseSelection,
  plainNumbers,
  type CodecPool,
  type ElementTransform,
  type TickTransform,
  type ZarrArray,
} from '../../../../server/zarr/index.js';
import {
  alwaysDirect,
  counted,
  filesAt,
  hierarchiesOf,
  isBuilt,
  startPool,
  temporaryFolder,
} from './threads.js';

const packed: ElementTransform = {
  kind: 'numbers',
  sourceBytes: 2,
  dtype: numberType('float64'),
  values: { ...plainNumbers('int16'), missing: [3], scale: 0.25, offset: -7 },
};
const dates: TickTransform = {
  kind: 'ticks',
  sourceBytes: 2,
  dtype: { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 },
  values: { ...plainNumbers('int16'), missing: [3] },
  count: { kind: 'integers', start: 1000n, factor: 3600 },
  unit: undefined,
  earliest: undefined,
  beyond: ['the date of ', ' is too late'],
};
const transforms: Readonly<Record<string, ElementTransform>> = {
  'to a longer type': packed,
  'to a type of the same size': { kind: 'copy', sourceBytes: 2, dtype: numberType('uint16') },
  'to a shorter type': { ...packed, dtype: numberType('bool') },
  'to dates': dates,
};

const selections = [':', '3:30, 1:, ::3', '::-1', '5, :, 20:3:-4', '..., 11'];

describe.skipIf(!isBuilt)('reads by threads', () => {
  alwaysDirect();
  const root = temporaryFolder();
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  async function openArrays(name: string, sharded: boolean) {
    const spied = counted(pool);
    const { inline, serial, threads, both } = hierarchiesOf(filesAt(join(root, name)), spied.pool);
    const array = await inline.createArray('/', {
      shape: [37, 29, 22],
      dtype: 'int16',
      chunkShape: [8, 12, 8],
      ...(sharded ? { shardShape: [16, 24, 16] } : {}),
      fillValue: 3,
    });
    const data = Int16Array.from({ length: 30 * 24 * 22 }, (_, i) => (i % 17) - 5);
    await array.select(parseSelection('0:30, 5:29, :')).write({ shape: [30, 24, 22], data });
    const opened = await Promise.all([inline, serial, threads, both].map((each) => each.array('/')));
    return { opened, array, asked: spied.asked };
  }

  test.each(
    Object.entries(transforms).flatMap(([name, transform]) => [
      [name, 'chunks', transform] as const,
      [name, 'shards', transform] as const,
    ]),
  )('%s, from %s', async (name, kind, transform) => {
    const { opened, asked } = await openArrays(`${name} ${kind}`, kind === 'shards');
    for (const text of selections) {
      const selection = parseSelection(text);
      const [wanted, ...found] = await Promise.all(
        opened.map((array: ZarrArray) => array.select(selection).read({ transform })),
      );
      if (wanted === undefined || !('bytes' in wanted)) throw new TypeError('only numbers here');
      for (const block of found) {
        expect(block.dtype).toEqual(transform.dtype);
        expect('bytes' in block && Buffer.compare(block.bytes, wanted.bytes), text).toBe(0);
      }
      for (const array of opened) {
        const out = new Uint8Array(new SharedArrayBuffer(wanted.bytes.length + 3), 3).fill(5);
        await array.select(selection).read({ transform, out });
        expect(Buffer.compare(out, wanted.bytes), text).toBe(0);
      }
    }
    expect(asked()).toBeGreaterThanOrEqual(4 * selections.length);
  });

  test('an unrepresentable value is the same error as without threads', async () => {
    const { opened } = await openArrays('refused', false);
    const transform = {
      ...dates,
      count: { kind: 'integers', start: 2n ** 63n - 20_000n, factor: 3600 },
    } as const;
    const errors = await Promise.all(
      opened.map((array) =>
        array
          .select({ kind: 'all' })
          .read({ transform })
          .then(
            () => undefined,
            (error: unknown) => error,
          ),
      ),
    );
    for (const error of errors)
      expect(String(error)).toMatch(/UnsupportedError: the date of \d+ is too late/);
    expect(errors).toHaveLength(4);
  });
});
