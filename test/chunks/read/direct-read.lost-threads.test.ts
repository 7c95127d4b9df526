/** Direct reads whose threads end, hang or are closed, and element transforms in direct reads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, afterAll, beforeAll } from 'vitest';
import {
  openHierarchy,
  numberType,
  parseSelection,
  plainNumbers,
  type CodecPool,
  type ElementTransform,
  type TickTransform,
  type ZarrArray,
} from '../../../server/zarr/index.js';
import {
  counted,
  entry,
  filesAt,
  hierarchiesOf,
  isBuilt,
  startPool,
  temporaryFolder,
  all,
  columns,
  failureOf,
  rows,
  rowsAt,
} from './threads.js';

/** Code of a thread that exits instead of a reply, or after it. */
const exits =
  "parentPort.on('message', ({ input }) => {\n  if (input !== undefined && 'spans' in input) process.exit(1);\n});";

/** A thread program that runs code before and after it listens. */
function program(folder: string, name: string, before: string, after = ''): URL {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `import { parentPort } from 'node:worker_threads';\n${before}\nawait import(${JSON.stringify(entry.href)});${after}\n`,
  );
  return pathToFileURL(path);
}

describe.skipIf(!isBuilt)('reads by threads', () => {
  const folder = temporaryFolder();

  test.each([
    ['before', `${exits}\n`, ''],
    ['after', '', `\n${exits}`],
  ])('if a thread is lost %s it has run a job, its chunks are read again', async (name, before, after) => {
    const root = join(folder, `lost ${name}`);
    await rowsAt(filesAt(root), false);
    const dying = program(folder, `dying ${name}`, before, after);
    const failing = await startPool(1, dying);
    onTestFinished(() => failing.close());
    const { inline, serial, threads, both, kept } = hierarchiesOf(filesAt(root), failing);
    const expected = await (await inline.array('/')).select(all).read();
    for (const hierarchy of [serial, threads, both, threads, kept, kept]) {
      const array = await hierarchy.array('/');
      expect(await array.select(all).read()).toEqual(expected);
    }
  });

  test('if a thread is lost while it holds a task, the task is read again into shared memory', async () => {
    const root = join(folder, 'lost shared');
    await rowsAt(filesAt(root), false);
    const dying = program(folder, 'dying shared', exits);
    const failing = await startPool(1, dying);
    onTestFinished(() => failing.close());
    const { inline, threads, both } = hierarchiesOf(filesAt(root), failing);
    const expected = await (await inline.array('/')).select(all).read();
    for (const hierarchy of [threads, both, threads]) {
      const out = new Uint8Array(new SharedArrayBuffer(rows * columns * 4));
      await (await hierarchy.array('/')).select(all).read({ out });
      expect('bytes' in expected && Buffer.compare(out, expected.bytes)).toBe(0);
    }
  });

  test('a read is complete although its pool is closed meanwhile', async () => {
    const root = join(folder, 'closed in the middle');
    await rowsAt(filesAt(root), false);
    const expected = await (await openHierarchy(filesAt(root)).array('/')).select(all).read();
    for (const turns of [0, 1, 2, 3, 5, 8, 12, 18, 27, 40]) {
      const closing = await startPool(2);
      const array = await hierarchiesOf(filesAt(root), closing).threads.array('/');
      const reading = array.select(all).read();
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await closing.close();
      expect(await reading).toEqual(expected);
    }
  });

  test('a read by a hanging thread can be cancelled', async () => {
    const root = join(folder, 'hanging');
    await rowsAt(filesAt(root), false);
    const stuck = program(
      folder,
      'stuck',
      "parentPort.on('message', ({ kind }) => {\n  while (kind === 'job');\n});",
    );
    const slow = await startPool(1, stuck);
    onTestFinished(() => slow.close());
    const { pool: spied, taskCount } = counted(slow);
    const array = await hierarchiesOf(filesAt(root), spied).threads.array('/');
    const controller = new AbortController();
    const reading = array.select(all).read({ signal: controller.signal });
    await expect.poll(taskCount).toBe(1);
    controller.abort();
    expect(await failureOf(reading)).toHaveProperty('code', 'ABORTED');
  });

  test('reads during and after the end of the pool are complete', async () => {
    const root = join(folder, 'closed');
    await rowsAt(filesAt(root), true);
    const closing = await startPool(1);
    const { inline, threads } = hierarchiesOf(filesAt(root), closing);
    const array = await threads.array('/');
    const reading = array.select(all).read();
    await Promise.all([reading, closing.close()]);
    expect(await reading).toEqual(await (await inline.array('/')).select(all).read());
    expect(await array.select(all).read()).toEqual(await reading);
  });
});

// Direct reads transform elements like the pipeline.

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

describe.skipIf(!isBuilt)('element transforms in reads by threads', () => {
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
    return { opened, array, taskCount: spied.taskCount };
  }

  test.each(
    Object.entries(transforms).flatMap(([name, transform]) => [
      [name, 'chunks', transform] as const,
      [name, 'shards', transform] as const,
    ]),
  )('%s, from %s, equal the pipeline', async (name, kind, transform) => {
    const { opened, taskCount } = await openArrays(`${name} ${kind}`, kind === 'shards');
    for (const text of selections) {
      const selection = parseSelection(text);
      const [expected, ...blocks] = await Promise.all(
        opened.map((array: ZarrArray) => array.select(selection).read({ transform })),
      );
      if (expected === undefined || !('bytes' in expected)) throw new TypeError('expected numbers');
      for (const block of blocks) {
        expect(block.dtype).toEqual(transform.dtype);
        expect('bytes' in block && Buffer.compare(block.bytes, expected.bytes), text).toBe(0);
      }
      for (const array of opened) {
        const out = new Uint8Array(new SharedArrayBuffer(expected.bytes.length + 3), 3).fill(5);
        await array.select(selection).read({ transform, out });
        expect(Buffer.compare(out, expected.bytes), text).toBe(0);
      }
    }
    expect(taskCount()).toBeGreaterThanOrEqual(4 * selections.length);
  });

  test('an unrepresentable value is an error with and without threads', async () => {
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
