/** Measures the latency of `/livez` while a server is busy. */
import { setTimeout as delay } from 'node:timers/promises';
import { importPeer } from '../folders.mjs';

/** Sends a request about every 5 ms over one connection until stopped. */
export function watchHealth(base) {
  let isRunning = true;
  const requested = request(base, () => isRunning);
  return {
    /** @returns the 99th percentile and the maximum in milliseconds */
    async stop() {
      isRunning = false;
      const times = (await requested).toSorted((a, b) => a - b);
      return {
        p99: times[Math.ceil(0.99 * times.length) - 1],
        longest: times.at(-1),
        requested: times.length,
      };
    },
  };
}

async function request(base, isRunning) {
  const { default: undici } = await importPeer('undici');
  const client = new undici.Client(base);
  const times = [];
  try {
    do {
      const start = performance.now();
      const { body } = await client.request({ method: 'GET', path: '/livez' });
      await body.dump();
      times.push(performance.now() - start);
      await delay(5);
    } while (isRunning());
  } finally {
    await client.destroy();
  }
  return times;
}
