import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isZarrError } from '../../../server/core/errors.js';
import { createFilesystemStore } from '../../../server/store/filesystem.js';
import { get } from '../../../server/store/define-reading.js';
import { text } from '../../contracts/store.js';
import { folderOfTest } from '../../setup/temporary-folder.js';

let root = '';
let meddler: Worker;

/** Creates and deletes a folder continuously. */
const meddling = `
  const { mkdirSync, rmdirSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('begun');
  for (;;) {
    try { mkdirSync(workerData); } catch {}
    try { rmdirSync(workerData); } catch {}
  }
`;

beforeEach(async () => {
  root = folderOfTest('write');
  meddler = new Worker(meddling, { eval: true, workerData: join(root, 'a') });
  await new Promise((resolve) => meddler.once('message', resolve));
});
afterEach(async () => {
  await meddler.terminate();
});

test('a folder that is created and removed during a write is not mistaken for a file', async () => {
  const store = createFilesystemStore({ label: 'test', root, fsync: true });
  for (let round = 0; round < 30; round++) {
    const written = await store.set('a/b/c', text('x')).then(
      () => true,
      (error: unknown) => {
        // All retries were used; any other error would be misleading.
        if (isZarrError(error, 'STORE_UNAVAILABLE')) return false;
        throw error;
      },
    );
    expect((await get(store, 'a/b/c')) !== undefined).toBe(written);
    await store.deletePrefix('a');
  }
});
