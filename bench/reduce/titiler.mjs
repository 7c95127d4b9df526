/** Measures titiler.xarray: statistics of each time step, and values at a given size. */
import { join } from 'node:path';
import { python } from '../folders.mjs';
import { startServer } from '../gateway/processes.mjs';

const world = [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]]; // prettier-ignore

/** @returns the measurement in the form of `enginesOf`; `{ unavailable }` for operations that titiler does not support */
export async function titiler(stores, name) {
  const request = {
    'mean-space': {
      path: `/statistics?url=${stores.ds}&variable=t2m`,
      body: { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: world } },
      decode: (bytes) =>
        Object.values(JSON.parse(bytes.toString()).properties.statistics).map(({ mean }) => mean),
    },
    coarsen: {
      path: `/bbox/-180,-90,180,90/800x800.npy?url=${stores.map}&variable=height&reproject=average`,
      decode: (bytes) => new Float32Array(new Uint8Array(bytes).buffer.slice(-8 * 800 * 800, -4 * 800 * 800)),
    },
  }[name];
  if (request === undefined) return { unavailable: 'does not support this operation' };
  const app = join(import.meta.dirname, 'titiler_app.py');
  const server = await startServer('titiler', {
    start: (port) => [python, [app, String(port)]],
    ready: '/ready',
  });
  try {
    const baseMb = server.memory().now;
    const seconds = [];
    let bytes;
    for (let k = 0; k < 2; k++) {
      const start = performance.now();
      const post = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
      };
      const response = await fetch(`${server.base}${request.path}`, request.body === undefined ? {} : post);
      bytes = Buffer.from(await response.arrayBuffer());
      if (!response.ok) throw new Error(bytes.subarray(0, 300).toString());
      seconds.push((performance.now() - start) / 1000);
    }
    return { seconds: seconds.slice(1), result: request.decode(bytes), baseMb, peakMb: server.memory().peak };
  } finally {
    await server.stop();
  }
}
