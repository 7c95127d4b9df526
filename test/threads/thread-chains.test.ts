/** Added codecs in the threads of the built package. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCodec, type Codec } from '../../server/format/codec/codec.js';
import {
  createCodecPool,
  createDefaultRegistry,
  createFilesystemStore,
  createMemoryStore,
  openHierarchy,
  type CodecPool,
  type KeyStore,
} from '../../server/zarr/index.js';

const root = join(import.meta.dirname, '../..');
const entry = new URL('../../dist/server/threads/worker.js', import.meta.url);
const shape = [8, 65_536];
const data = Int32Array.from({ length: 8 * 65_536 }, (_, i) => i);

function isData(values: Int32Array): boolean {
  return Buffer.from(values.buffer).equals(Buffer.from(data.buffer));
}

/** The source of a module with a codec that inverts bytes. `decode` is the body of its method, `top` the first lines. */
function flipModule(decode: string, top = ''): string {
  return `
import { isMainThread, threadId } from 'node:worker_threads';
${top}
const flip = (bytes) => bytes.map((byte) => byte ^ 255);
export const codec = {
  kind: 'bytes-to-bytes',
  name: 'flip',
  module: { url: import.meta.url, export: 'codec' },
  create: () => ({ encodedSize: (decoded) => decoded, decode(bytes, size) { ${decode} }, encode: flip }),
};`;
}

describe.skipIf(!existsSync(fileURLToPath(entry)))('added codecs', () => {
  let folder: string;
  let pool: CodecPool;
  beforeAll(async () => {
    // Within the package, so that "zarrql/zarr" resolves to it.
    await mkdir(join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(join(root, '.cache/added-codecs-'));
    pool = createCodecPool({ threads: 1, entry });
    while (!pool.usable) await pool.whenAvailable();
  });
  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function codecOf(name: string, text: string): Promise<Codec> {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, text);
    const module: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href);
    const codec: unknown = typeof module === 'object' && module !== null && Reflect.get(module, 'codec');
    if (!isCodec(codec)) throw new Error(`${name} has no codec`);
    return codec;
  }

  async function written(codec: Codec, store: KeyStore, isSharded = false) {
    const registry = createDefaultRegistry([['flip', codec]]);
    const hierarchy = openHierarchy(store, { registry, decoding: { pool, here: false } });
    const array = await hierarchy.createArray('/', {
      shape,
      dtype: 'int32',
      chunkShape: [1, 65_536],
      ...(isSharded ? { shardShape: [4, 65_536] } : {}),
      codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, 'flip'],
    });
    await array.select({ kind: 'all' }).write({ shape, data });
    return array;
  }

  async function read(array: Awaited<ReturnType<typeof written>>): Promise<Int32Array> {
    const block = await array.select({ kind: 'all' }).read();
    if (!('bytes' in block)) throw new Error('expected bytes');
    return new Int32Array(block.bytes.slice().buffer);
  }

  const inThread = `if (isMainThread) throw new Error('on the main thread'); return flip(bytes);`;

  test.each([
    ['chunks', false],
    ['inner chunks of shards', true],
  ])('a thread decodes with the module of a codec: %s', async (name, isSharded) => {
    const codec = await codecOf(`thread-${isSharded}`, flipModule(inThread));
    const array = await written(codec, createMemoryStore({ label: name }), isSharded);
    expect(isData(await read(array))).toBe(true);
  });

  test('a thread reads files with the module; if the module is missing, the error has the key', async () => {
    const store = createFilesystemStore({ label: 'files', root: join(folder, 'files.zarr'), create: true });
    const codec = await codecOf('files', flipModule(inThread));
    expect(isData(await read(await written(codec, store)))).toBe(true);
    const broken = { ...codec, module: { url: 'file:///nowhere/files.mjs', export: 'codec' } };
    const registry = createDefaultRegistry([['flip', broken]]);
    const array = await openHierarchy(store, { registry, decoding: { pool, here: false } }).array('/');
    await expect(read(array)).rejects.toMatchObject({ code: 'UNSUPPORTED', where: { key: 'c/0/0' } });
    expect(pool.usable).toBe(true);
  });

  test('a codec without a module decodes on the calling thread', async () => {
    const text = flipModule(`if (!isMainThread) throw new Error('in a thread'); return flip(bytes);`);
    const { module, ...codec } = await codecOf('no-module', text);
    expect(module).toBeDefined();
    expect(isData(await read(await written(codec, createMemoryStore({ label: 'inline' }))))).toBe(true);
  });

  test.each([
    ['a module that does not exist', { url: 'file:///nowhere/codec.mjs', export: 'codec' }],
    ['a package that is not installed', { url: 'zarrql-no-such-package', export: 'codec' }],
    ['an export that does not exist', { export: 'none' }],
  ])('%s fails the write, not the thread', async (name, changes) => {
    const id = name.replaceAll(' ', '-');
    // The value of the first element identifies the thread.
    const threadOf = `const result = flip(bytes); new DataView(result.buffer).setInt32(0, threadId, true); return result;`;
    const probe = await written(
      await codecOf(`probe-${id}`, flipModule(threadOf)),
      createMemoryStore({ label: 'p' }),
    );
    const [before] = await read(probe);
    const good = await codecOf(id, flipModule(inThread));
    const broken = { ...good, module: { url: good.module?.url ?? '', ...changes } };
    const store = createMemoryStore({ label: 'broken' });
    await expect(written(broken, store)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      detail: 'codec "flip": its module could not be imported by a decoding thread',
    });
    const [after] = await read(probe);
    expect(after).toBe(before);
  });

  test('the message of a module that throws when a thread imports it is not shown', async () => {
    const text = flipModule('return flip(bytes);', `if (!isMainThread) throw new Error('secret path');`);
    const codec = await codecOf('top-level', text);
    await expect(written(codec, createMemoryStore({ label: 'top' }))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      detail: expect.not.stringContaining('secret'),
    });
  });

  test("an error of the engine keeps its code, although it is an instance of the module's copy of the class", async () => {
    const text = flipModule(
      `if (bytes.length > 0) throw new ChecksumError('codec "flip": as expected'); return bytes;`,
      `import { ChecksumError } from 'zarrql/zarr';`,
    );
    const array = await written(await codecOf('own-error', text), createMemoryStore({ label: 'error' }));
    await expect(read(array)).rejects.toMatchObject({
      code: 'CHECKSUM_MISMATCH',
      detail: 'codec "flip": as expected',
    });
  });

  test.each([
    ['a result of the wrong size', 'return bytes.subarray(1);', /decodes to 262143 bytes; expected 262144/],
    ['a foreign error', `throw new RangeError('out of luck');`, /codec "flip": out of luck/],
    ['a result of another type', 'return [...bytes];', /not a Uint8Array/],
  ])('%s is a codec error', async (name, decode, message) => {
    const codec = await codecOf(name.replaceAll(' ', '-'), flipModule(decode));
    const array = await written(codec, createMemoryStore({ label: name }));
    await expect(read(array)).rejects.toMatchObject({
      code: 'CODEC_ERROR',
      detail: expect.stringMatching(message),
    });
  });
});
