/** A failed direct read throws the same error as the pipeline, and never returns wrong values. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isZarrError, openHierarchy, type CodecPool } from '../../../server/zarr/index.js';
import { PlaceSink } from '../../../server/threads/place-sink.js';
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

describe.skipIf(!isBuilt)('reads by threads', () => {
  const folder = temporaryFolder();
  let pool: CodecPool;
  beforeAll(async () => {
    pool = await startPool();
  });
  afterAll(() => pool.close());

  test.each([
    ['a chunk is broken', false, (path: string) => flip(join(path, 'c/3/0'))],
    ['a chunk is truncated', false, (path: string) => cut(join(path, 'c/3/0'))],
    ['an inner chunk is broken', true, (path: string) => flip(join(path, 'c/1/0'), 40)],
    ['a shard is truncated', true, (path: string) => cut(join(path, 'c/1/0'))],
    ['a chunk is a link to nothing', false, (path: string) => relink(join(path, 'c/3/0'), './missing')],
    [
      'a chunk is a link that leads out',
      false,
      (path: string) => relink(join(path, 'c/3/0'), '/etc/hostname'),
    ],
    ['a folder is a link that leads out', false, (path: string) => relink(join(path, 'c/3'), '/etc')],
  ])('%s: the same error', async (name, sharded, damage) => {
    const root = join(folder, name);
    await rowsAt(filesAt(root), sharded);
    damage(root);
    const failures = await Promise.all(
      Object.values(hierarchiesOf(filesAt(root), pool)).map(async (hierarchy) =>
        failureOf((await hierarchy.array('/')).select(all).read()),
      ),
    );
    const [inline, ...others] = failures;
    expect(others).toEqual([inline, inline, inline, inline]);
    expect(inline).toHaveProperty('message', expect.stringMatching(/c\/[13]/));
  });

  test.each([false, true])(
    'absent chunks read as the fill value, and their versions are reported (sharded: %s)',
    async (sharded) => {
      const root = join(folder, `absent ${sharded}`);
      await rowsAt(filesAt(root), sharded);
      rmSync(join(root, 'c/2'), { recursive: true });
      const seen: { out: Uint8Array; versions: Map<string, string | undefined> }[] = [];
      for (const hierarchy of Object.values(hierarchiesOf(filesAt(root), pool))) {
        const versions = new Map<string, string | undefined>();
        const out = new Uint8Array(rows * columns * 4).fill(77);
        const onVersion = ({ key }: { key: string }, version: string | undefined): void =>
          void versions.set(key, version);
        await (await hierarchy.array('/')).select(all).read({ out, onVersion });
        seen.push({ out, versions: new Map([...versions].sort(([a], [b]) => (a < b ? -1 : 1))) });
      }
      expect(seen.slice(1)).toEqual([seen[0], seen[0], seen[0], seen[0]]);
      const absentRow = sharded ? 2 * 16 : 2 * 4;
      const [start, end] = [4 * absentRow * columns, 4 * (absentRow + 1) * columns];
      expect(seen[0]?.out.subarray(start, end).every((byte) => byte === 255)).toBe(true);
      expect([...(seen[0]?.versions ?? [])]).toContainEqual(['c/2/0', undefined]);
    },
  );

  test('an error while slots are copied leaves nothing for the next read', async () => {
    const [failing, next] = [join(folder, 'failing'), join(folder, 'next')];
    // Wide rows without compression, so that the threads fill several slots.
    const width = 32 * columns;
    await rowsAt(filesAt(failing), false, 0, width);
    await rowsAt(filesAt(next), false, 7000, width);
    const arrays = await Promise.all(
      [failing, next].map((root) => hierarchiesOf(filesAt(root), pool).threads.array('/')),
    );
    for (let round = 0; round < 10; round++) {
      let isBroken = false;
      const broken = vi.spyOn(PlaceSink.prototype, 'region').mockImplementation(() => {
        isBroken = true;
        throw new Error('broken copy');
      });
      await expect(arrays[0]?.select(all).read()).rejects.toThrow('broken copy');
      broken.mockRestore();
      expect(isBroken).toBe(true);
      const block = await arrays[1]?.select(all).read();
      if (block === undefined || !('bytes' in block)) throw new Error('expected values of fixed size');
      const values = new Int32Array(block.bytes.buffer, block.bytes.byteOffset, rows * width);
      expect(values.every((value, i) => value === 7000 + Math.floor(i / width))).toBe(true);
    }
  });

  test('the metrics count each chunk once', async () => {
    const root = join(folder, 'counted');
    await rowsAt(filesAt(root), true);
    let [chunks, bytes] = [0, 0];
    const metrics = {
      chunksDecoded(count: number, decodedBytes: number) {
        chunks += count;
        bytes += decodedBytes;
      },
    };
    const hierarchy = openHierarchy(filesAt(root), { metrics, decoding: { pool, here: false } });
    await (await hierarchy.array('/')).select(all).read();
    expect({ chunks, bytes }).toEqual({ chunks: 16, bytes: rows * columns * 4 });
  });

  test.each([false, true])(
    'an object replaced during the read is never mixed with the previous one (sharded: %s)',
    async (sharded) => {
      // Without compression, because the inner chunks of a shard are then several tasks.
      const width = 32 * columns;
      const root = join(folder, `replaced ${sharded}`);
      const states = await Promise.all(
        [0, 1000].map(async (base) => {
          const path = join(folder, `state ${base} ${sharded}`);
          await rowsAt(filesAt(path), sharded, base, width);
          return readdirSync(join(path, 'c')).map((name) => readFileSync(join(path, 'c', name, '0')));
        }),
      );
      await rowsAt(filesAt(root), sharded, 0, width);
      const { threads, both } = hierarchiesOf(filesAt(root), pool);
      const names = readdirSync(join(root, 'c'));
      let isOver = false;
      const writing = (async () => {
        // Writes one object per turn of the event loop, so that the reads get as much CPU time as the writer.
        for (let turn = 0; !isOver; turn++) {
          const i = turn % names.length;
          const bytes = states[Math.floor(turn / names.length) % 2]?.[i];
          if (bytes !== undefined) replace(join(root, 'c', names[i] ?? '', '0'), bytes);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      onTestFinished(async () => {
        isOver = true;
        await writing;
      });
      const perObject = sharded ? 16 : 4;
      for (let round = 0; round < 16; round++) {
        const array = await (round % 2 === 0 ? threads : both).array('/');
        let values: Int32Array;
        try {
          const block = await array.select(all).read();
          if (!('bytes' in block)) throw new Error('expected values of fixed size');
          values = new Int32Array(block.bytes.buffer, block.bytes.byteOffset, rows * width);
        } catch (error) {
          // A continuous writer may cause a conflict.
          expect(isZarrError(error, 'CONFLICT')).toBe(true);
          continue;
        }
        for (let row = 0; row < rows; row++) {
          const base = (values[Math.floor(row / perObject) * perObject * width] ?? 0) < 1000 ? 0 : 1000;
          const line = values.subarray(row * width, (row + 1) * width);
          expect(line.every((value) => value === base + row)).toBe(true);
        }
      }
    },
  );

  test('a folder that becomes an outward link is detected', async () => {
    const root = join(folder, 'swapped');
    const outside = join(folder, 'outside');
    await rowsAt(filesAt(root), false);
    await rowsAt(filesAt(outside), false, 5000);
    const { threads } = hierarchiesOf(filesAt(root), pool);
    const array = await threads.array('/');
    await array.select(all).read();
    renameSync(join(root, 'c'), join(root, 'kept'));
    symlinkSync(join(outside, 'c'), join(root, 'c'));
    // The check that a folder is inside the store is valid for a second, in threads and in the store.
    const outcome = (): Promise<unknown> =>
      array
        .select(all)
        .read()
        .then(
          () => 'values',
          (error: unknown) => (isZarrError(error) ? error.code : error),
        );
    // Each thread checks separately: one may still read the folder after another has rejected it.
    let last: unknown;
    await expect.poll(async () => (last = await outcome())).not.toBe('values');
    expect(last).toBe('STORE_DENIED');
  });

  test.each([new ArrayBuffer(rows * columns * 4), new SharedArrayBuffer(rows * columns * 4)])(
    'a cancelled read does not write to the memory of the caller afterwards',
    async (memory) => {
      const root = join(folder, `cancelled ${memory.constructor.name}`);
      await rowsAt(filesAt(root), false);
      const { threads, both, kept } = hierarchiesOf(filesAt(root), pool);
      const [first, second, third] = [
        await threads.array('/'),
        await both.array('/'),
        await kept.array('/'),
      ] as const;
      const out = new Uint8Array(memory);
      for (let round = 0; round < 60; round++) {
        const array = round % 3 === 0 ? first : round % 3 === 1 ? second : third;
        const controller = new AbortController();
        const reading = array.select(all).read({ out, signal: controller.signal });
        for (let turn = 0; turn < round / 2; turn++) await new Promise((resolve) => setImmediate(resolve));
        controller.abort();
        const wasDone = await reading.then(
          () => true,
          (error: unknown) => (expect(isZarrError(error, 'ABORTED')).toBe(true), false),
        );
        out.fill(99);
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
        if (!wasDone) expect(out.every((byte) => byte === 99)).toBe(true);
      }
      const block = await first.select(all).read();
      expect('bytes' in block && block.bytes.length).toBe(memory.byteLength);
    },
  );

  test('a cancelled read into shared memory waits for the jobs that threads hold', async () => {
    const root = join(folder, 'held');
    const width = 32 * columns;
    await rowsAt(filesAt(root), false, 0, width);
    const go = join(folder, 'go');
    const held = join(folder, 'held.mjs');
    // Threads begin a job, and wait for a file.
    writeFileSync(
      held,
      "import { existsSync } from 'node:fs';\nimport { parentPort, workerData } from 'node:worker_threads';\n" +
        'const pause = new Int32Array(new SharedArrayBuffer(4));\nconst on = parentPort.on.bind(parentPort);\n' +
        'const claims = new Int32Array(workerData.claims);\n' +
        'parentPort.on = (name, listen) => on(name, (message) => {\n' +
        "  if (message.kind === 'job') Atomics.store(claims, message.claim, 1);\n" +
        `  while (message.kind === 'job' && !existsSync(${JSON.stringify(go)})) Atomics.wait(pause, 0, 0, 5);\n` +
        `  listen(message);\n});\nawait import(${JSON.stringify(entry.href)});\n`,
    );
    const waiting = await startPool(2, pathToFileURL(held));
    onTestFinished(() => waiting.close());
    const { pool: spied, taskCount } = counted(waiting);
    const array = await hierarchiesOf(filesAt(root), spied).threads.array('/');
    const out = new Uint8Array(new SharedArrayBuffer(rows * width * 4)).fill(99);
    const controller = new AbortController();
    let isOver = false;
    const failure = failureOf(array.select(all).read({ out, signal: controller.signal })).finally(() => {
      isOver = true;
    });
    await expect.poll(taskCount).toBeGreaterThan(1);
    // The threads have begun their first jobs.
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    writeFileSync(go, '');
    expect(await failure).toHaveProperty('code', 'ABORTED');
    out.fill(7);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(out.every((byte) => byte === 7)).toBe(true);
  });
});

function flip(path: string, at = 12): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 255;
  replace(path, bytes);
}

function cut(path: string): void {
  const bytes = readFileSync(path);
  replace(path, bytes.subarray(0, bytes.length - 9));
}

function relink(path: string, target: string): void {
  rmSync(path, { recursive: true });
  symlinkSync(target, path);
}

function replace(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}

test('the program of the threads is built', () => {
  expect(isBuilt, `run \`npm run build\` first (${fileURLToPath(entry)})`).toBe(true);
});
