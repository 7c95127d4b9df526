/** The checked-in modules match the manifest. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import {
  compiledWasm,
  instantiateWasm,
  provideWasm,
  type WasmName,
} from '../../../server/zarr/codec/wasm/load.js';

const folder = new URL('../../../server/zarr/codec/wasm/', import.meta.url);

interface Description {
  readonly sha256: string;
  readonly bytes: number;
  readonly libraries: Readonly<Record<string, string>>;
  readonly functions: readonly string[];
}
const manifest: Record<string, Description> = JSON.parse(
  readFileSync(new URL('manifest.json', folder), 'utf8'),
);
const names: readonly WasmName[] = ['codecs', 'archive'];

describe.each(names)('%s.wasm', (name) => {
  const bytes = readFileSync(new URL(`${name}.wasm`, folder));
  const described = manifest[`${name}.wasm`];

  test('has the hash and size of the manifest', () => {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(described?.sha256);
    expect(bytes.length).toBe(described?.bytes);
  });

  test('exports the functions of the manifest', () => {
    expect([...instantiateWasm(name).functions.keys()].sort()).toEqual(described?.functions);
  });

  test('imports nothing: an instance needs no import object and starts with 4 MiB', () => {
    expect(instantiateWasm(name).memory.buffer.byteLength).toBe(4 * 2 ** 20);
  });

  test('lists the libraries pinned by the build script, each with its licence', () => {
    const pinned = readFileSync(new URL('build/versions.txt', folder), 'utf8');
    const licences = readdirSync(new URL('licences/', folder));
    const libraries = Object.entries(described?.libraries ?? {});
    expect(libraries.length).toBeGreaterThan(0);
    for (const [library, version] of libraries) {
      expect(pinned).toContain(`\n${library} ${version} `);
      expect(licences).toContain(`${library}.txt`);
    }
  });
});

test('a module is compiled once and can be posted to a worker', async () => {
  expect(compiledWasm('codecs')).toBe(compiledWasm('codecs'));
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     parentPort.postMessage(new WebAssembly.Instance(workerData).exports.lz4_bound(1000));`,
    { eval: true, workerData: compiledWasm('codecs') },
  );
  const answer = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  await worker.terminate();
  // LZ4_compressBound: length + length / 255 + 16
  expect(answer).toBe(1019);
});

test('a module can be handed in, as bytes or compiled', () => {
  const before = compiledWasm('archive');
  provideWasm('archive', new Uint8Array(readFileSync(new URL('archive.wasm', folder))));
  expect(compiledWasm('archive')).not.toBe(before);
  expect(instantiateWasm('archive').functions.has('bzip2_step')).toBe(true);
  provideWasm('archive', before);
  expect(compiledWasm('archive')).toBe(before);
});
