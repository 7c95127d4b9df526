/** Memory use during a download that is larger than memory. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../interop/python.js';
import { arrayDocument } from '../resolvers/gateway-client.js';
import { serveStores } from './running.js';

const GiB = 2 ** 30;

/** Peak memory of a process in bytes; Linux only. */
async function peakMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
}

test.skipIf(process.platform !== 'linux')(
  '2 GiB are sent with less than 300 MB of memory',
  async () => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const chunk_grid = { name: 'regular', configuration: { chunk_shape: [16, 256, 256] } };
    // No chunk is stored, so that the test needs no disk space: all values are the fill value.
    const document = arrayDocument('float32', [512, 1024, 1024], { chunk_grid, fill_value: 1.5 });
    await writeFile(join(folder.path, 'zarr.json'), JSON.stringify(document));
    const { child, address } = await serveStores(['--store', `s=${folder.path}`, '--log-level', 'warn']);
    const query = '{ store(name: "s") { array { slice { href(format: RAW) } } } }';
    const response = await fetch(`${address}?query=${encodeURIComponent(query)}`);
    const { data } = (await response.json()) as {
      data: { store: { array: { slice: { href: string } } } };
    };
    const [incoming]: [IncomingMessage] = (await once(
      get(new URL(data.store.array.slice.href, address)),
      'response',
    )) as [IncomingMessage];
    expect(incoming.headers['content-length']).toBe(String(2 * GiB));
    let bytes = 0;
    for await (const part of incoming as AsyncIterable<Buffer>) bytes += part.length;
    expect(bytes).toBe(2 * GiB);
    expect(await peakMemory(child.pid)).toBeLessThan(300e6);
  },
  120_000,
);
