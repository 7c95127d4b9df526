/** The resident size of the real server under load: `bench/attacks/memory.mjs` has more kinds of requests. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createFilesystemStore, openHierarchy } from '../../server/zarr/index.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { serveStores } from './running.js';

const MiB = 2 ** 20;
const clients = 12;
const requestsPerClient = 10;
/** Without the settings of the C library, as many writes needed 663 MiB. */
const writesPerClient = 40;

async function largeStore(): Promise<string> {
  const root = folderOfTest('memory');
  const array = await openHierarchy(createFilesystemStore({ label: 's', root })).createArray('a', {
    dtype: 'float32',
    shape: [32, 1024, 1024],
    chunkShape: [4, 512, 512],
    dimensionNames: ['t', 'y', 'x'],
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'zstd' }],
  });
  await array.select({ kind: 'all' }).write(1.5);
  return root;
}

const values = Array.from({ length: 256 }, (_, i) => Array.from({ length: 256 }, (_, j) => i * j));
const slice = (text: string, field: string) => ({
  query: `{ store(name: "s") { array(path: "a") { slice(select: { text: "${text}" }) { ${field} } } } }`,
});
const requests = [
  slice('0:4', 'values'),
  slice(':, 0:200, 0:256', 'reduce(by: MEDIAN, over: ["t"]) { values }'),
  slice('3, :, :', 'base64 { data }'),
  {
    query:
      'mutation($v: NDArray!) { writeSlice(input: { store: "m", path: "w", select: { text: "0" }, values: $v }) { chunksWritten } }',
    variables: { v: values },
  },
];

test.runIf(process.platform === 'linux')('the resident size stays within --memory', async () => {
  const { child, address } = await serveStores(
    [
      '--memory',
      '512MiB',
      '--store',
      `s=${await largeStore()}`,
      '--store',
      'm=memory:',
      '--allow-write',
      'm',
    ],
    { ZARRQL_LOG_LEVEL: 'fatal' },
  );
  const send = async (body: unknown): Promise<number> => {
    const headers = { 'content-type': 'application/json', accept: 'application/cbor' };
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
    await response.arrayBuffer();
    return response.status;
  };
  await send({
    query:
      'mutation { createArray(input: { store: "m", path: "w", shape: [2, 256, 256], chunkShape: [1, 64, 64], dtype: "int32" }) { array { path } } }',
  });
  const statuses = new Set<number>();
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let i = 0; i < requestsPerClient; i++)
        statuses.add(await send(requests[(client + i) % requests.length]));
      for (let i = 0; i < writesPerClient; i++) statuses.add(await send(requests.at(-1)));
    }),
  );
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;
  expect(peak).toBeLessThan(512 * MiB);
  expect(peak).toBeGreaterThan(100 * MiB);
});
