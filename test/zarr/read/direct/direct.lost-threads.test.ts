/** Threads that end, hang or are closed in the middle of a direct read: no chunk is left out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openHierarchy } from '../../../../server/zarr/index.js';
import {
  alwaysDirect,
  counted,
  entry,
  filesAt,
  hierarchiesOf,
  isBuilt,
  startPool,
  temporaryFolder,
} from './threads.js';
import { all, columns, failureOf, rows, rowsAt } from './rows.js';

/** A thread program that first runs `code`. */
function program(folder: string, name: string, code: string): URL {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `import { parentPort } from 'node:worker_threads';\n${code}\nawait import(${JSON.stringify(entry.href)});\n`,
  );
  return pathToFileURL(path);
}

describe.skipIf(!isBuilt)('reads by threads', () => {
  alwaysDirect();
  const folder = temporaryFolder();

  test.each([
    ['holds a task', ''],
    // The states of chunks follow the head and the tasks; 1 is "done".
    [
      'has decoded a chunk that nobody received',
      '  new Uint8Array(message.window.memory, (6 + message.window.tasks) * 4)[0] = 1;\n',
    ],
  ])('a thread that is lost while it %s is replaced, and its tasks are read again', async (name, more) => {
    const root = join(folder, `lost ${name}`);
    await rowsAt(filesAt(root), false);
    const dying = program(
      folder,
      `dying ${name}`,
      "parentPort.on('message', (message) => {\n" +
        "  if (message.kind !== 'direct-window') return;\n" +
        '  Atomics.add(new Int32Array(message.window.memory), 0, 1);\n' +
        more +
        '  process.exit(1);\n});',
    );
    const mortal = await startPool(1, dying);
    onTestFinished(() => mortal.close());
    const { inline, serial, threads, both } = hierarchiesOf(filesAt(root), mortal);
    const expected = await (await inline.array('/')).select(all).read();
    for (const hierarchy of [serial, threads, both, threads]) {
      const array = await hierarchy.array('/');
      expect(await array.select(all).read()).toEqual(expected);
    }
  });

  test('a thread that is lost while it holds a task is replaced, also for results in shared memory', async () => {
    const root = join(folder, 'lost shared');
    await rowsAt(filesAt(root), false);
    const dying = program(
      folder,
      'dying shared',
      "parentPort.on('message', ({ kind, window }) => {\n  if (kind !== 'direct-window') return;\n" +
        '  Atomics.add(new Int32Array(window.memory), 0, 1);\n  process.exit(1);\n});',
    );
    const mortal = await startPool(1, dying);
    onTestFinished(() => mortal.close());
    const { inline, threads, both } = hierarchiesOf(filesAt(root), mortal);
    const expected = await (await inline.array('/')).select(all).read();
    for (const hierarchy of [threads, both, threads]) {
      const out = new Uint8Array(new SharedArrayBuffer(rows * columns * 4));
      await (await hierarchy.array('/')).select(all).read({ out });
      expect('bytes' in expected && Buffer.compare(out, expected.bytes)).toBe(0);
    }
  });

  test('closing the pool in the middle of a read leaves no chunk out', async () => {
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

  test('a hanging thread is terminated when its read is cancelled', async () => {
    const root = join(folder, 'hanging');
    await rowsAt(filesAt(root), false);
    const stuck = program(
      folder,
      'stuck',
      "parentPort.on('message', ({ kind }) => {\n  while (kind === 'direct-window');\n});",
    );
    const slow = await startPool(1, stuck);
    onTestFinished(() => slow.close());
    const { pool: spied, asked } = counted(slow);
    const array = await hierarchiesOf(filesAt(root), spied).threads.array('/');
    const controller = new AbortController();
    const reading = array.select(all).read({ signal: controller.signal });
    await expect.poll(asked).toBe(1);
    controller.abort();
    expect(await failureOf(reading)).toHaveProperty('code', 'ABORTED');
  });

  test('a closed pool leaves all work to the calling thread', async () => {
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
