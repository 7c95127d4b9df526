/**
 * A program for a project with the installed package: serves a store, and reads and writes it over HTTP
 * with the SDK.
 */
export const smokeProgram = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { mkdirSync } from 'node:fs';
  import { join } from 'node:path';
  import { createClient } from 'zarrql/client';

  mkdirSync(process.argv[2]);
  const cli = 'node_modules/zarrql/dist/server/cli.js';
  const samples = 'node_modules/zarrql/examples/data';
  const stores = ['--store', 'ocean=' + join(samples, 'ocean.zarr'), '--store', 'scratch=' + process.argv[2]];
  const server = spawn(process.execPath, [cli, 'serve', '--port', '0', ...stores, '--allow-write', 'scratch'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ZARRQL_SHUTDOWN_DELAY_MS: '0' },
  });
  const ended = once(server, 'close');
  try {
    const [line] = await Promise.race([once(server.stdout, 'data'), ended.then(() => Promise.reject(new Error('expected the address of the server')))]);
    const client = createClient({ url: String(line).trim() });
    const slice = await client.store('ocean').array('/sst').slice({ time: 0, lat: 40, lon: [20, 24] });
    const scratch = client.store('scratch');
    const grid = await scratch.createArray('grid', { shape: [4], dtype: 'int16', dimensionNames: ['x'] });
    await grid.write({ x: [1, 3] }, [5, -6]);
    const written = await scratch.array('/grid').slice();
    console.log(JSON.stringify({ slice: [...slice.data], shape: slice.shape, written: [...written.data] }));
  } finally {
    server.kill('SIGTERM');
  }
  const [code] = await ended;
  console.log(code);
`;
