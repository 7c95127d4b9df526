/** Failures of direct reads are the same errors as in the pipeline, never wrong values. */
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
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  isZarrError,
  openHierarchy,
  type CodecPool,
  type KeyStore,
  type ZarrArray,
} from '../../../../server/zarr/index.js';
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

const rows = 64;
const columns = 512;
const all = { kind: 'all' } as const;

/** 16 chunks (in 4 shards) of 4 rows; every value of a row is `base + row`. */
async function rowsAt(store: KeyStore, sharded: boolean, base = 0, width = columns): Promise<ZarrArray> {
  const hierarchy = openHierarchy(store, { decoding: { pool: null } });
  const array = await hierarchy.createArray('/', {
    shape: [rows, width],
    dtype: 'int32',
    chunkShape: [4, width],
    ...(sharded ? { shardShape: [16, width] } : {}),
    fillValue: -1,
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      ...(width === columns ? [{ name: 'zstd', configuration: { level: 1, checksum: true } }] : []),
    ],
  });
  await fill(array, base, width);
  return array;
}

async function fill(array: ZarrArray, base: number, width: number): Promise<void> {
  const data = Int32Array.from({ length: rows * width }, (_, i) => base + Math.floor(i / width));
  await array.select(all).write({ shape: [rows, width], data });
}

async function failureOf(reading: Promise<unknown>): Promise<unknown> {
  try {
    await reading;
  } catch (error) {
    if (isZarrError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the read did not fail');
}

/** A thread's program that runs `code` first. */
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
    expect(others).toEqual([inline, inline, inline]);
    expect(inline).toHaveProperty('message', expect.stringMatching(/c\/[13]/));
  });

  test.each([false, true])(
    'missing chunks read as the fill value, and are reported (sharded: %s)',
    async (sharded) => {
      const root = join(folder, `missing ${sharded}`);
      await rowsAt(filesAt(root), sharded);
      rmSync(join(root, 'c/2'), { recursive: true });
      const seen: unknown[] = [];
      for (const hierarchy of Object.values(hierarchiesOf(filesAt(root), pool))) {
        const versions = new Map<string, string | undefined>();
        const out = new Uint8Array(rows * columns * 4).fill(77);
        const onVersion = ({ key }: { key: string }, version: string | undefined): void =>
          void versions.set(key, version);
        await (await hierarchy.array('/')).select(all).read({ out, onVersion });
        seen.push({ out, versions: new Map([...versions].sort(([a], [b]) => (a < b ? -1 : 1))) });
      }
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
    },
  );

  test('chunks are counted as without threads', async () => {
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
      // Not compressed: the inner chunks of a shard are several tasks.
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
        // One object a turn: the reads get as much of the machine as the writer.
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
          if (!('bytes' in block)) throw new Error('values of a fixed size');
          values = new Int32Array(block.bytes.buffer, block.bytes.byteOffset, rows * width);
        } catch (error) {
          // A writer that keeps replacing objects may cause a conflict.
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
    // Folders found inside are trusted for a second, by threads as by the store.
    const outcome = (): Promise<unknown> =>
      array
        .select(all)
        .read()
        .then(
          () => 'values',
          (error: unknown) => (isZarrError(error) ? error.code : error),
        );
    // Each thread has its own second: another one may still read the folder after the first denial.
    let last: unknown;
    await expect.poll(async () => (last = await outcome())).not.toBe('values');
    expect(last).toBe('STORE_DENIED');
  });

  test.each([new ArrayBuffer(rows * columns * 4), new SharedArrayBuffer(rows * columns * 4)])(
    'a cancelled read leaves the memory of the caller alone',
    async (memory) => {
      const root = join(folder, `cancelled ${memory.constructor.name}`);
      await rowsAt(filesAt(root), false);
      const array = await hierarchiesOf(filesAt(root), pool).threads.array('/');
      const out = new Uint8Array(memory);
      for (let round = 0; round < 30; round++) {
        const controller = new AbortController();
        const reading = array.select(all).read({ out, signal: controller.signal });
        for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve));
        controller.abort();
        const wasDone = await reading.then(
          () => true,
          (error: unknown) => (expect(isZarrError(error, 'ABORTED')).toBe(true), false),
        );
        out.fill(99);
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
        if (!wasDone) expect(out.every((byte) => byte === 99)).toBe(true);
      }
      const block = await array.select(all).read();
      expect('bytes' in block && block.bytes.length).toBe(memory.byteLength);
    },
  );

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
