/** A gateway with its pages, one of whose stores waits until the test opens it. */
import { onTestFinished } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { createHttpServer } from '../../server/http/server.js';
import { createGateway } from '../../server/index.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { loggerTo } from '../http/serving.js';
import { gateStore } from '../setup/gated-store.js';

const [times, rows, columns] = [3, 20, 30];
const plane = rows * columns;

/**
 * Serves a store `s` with the variables `fast` and `slow` (time, y, x), whose values are 100 times the time plus 0 to 10,
 * and coordinates `y` and `x`. The values of `x`, and those of `slow` after the first time, wait until `open` is called.
 */
export async function serveGated(): Promise<{ readonly address: string; open(): void }> {
  const memory = createMemoryStore({ label: 's' });
  const hierarchy = openHierarchy(memory);
  await hierarchy.createGroup('/');
  for (const name of ['fast', 'slow']) {
    const shape = [times, rows, columns];
    const array = await hierarchy.createArray(`/${name}`, {
      shape,
      dtype: 'float32',
      chunkShape: [1, rows, columns],
      dimensionNames: ['time', 'y', 'x'],
    });
    const data = Float32Array.from(
      { length: times * plane },
      (_, i) => 100 * Math.floor(i / plane) + ((i % plane) % 11),
    );
    await array.select({ kind: 'all' }).write({ shape, data });
  }
  for (const [name, size] of [
    ['y', rows],
    ['x', columns],
  ] as const) {
    const shape = [size];
    const array = await hierarchy.createArray(`/${name}`, {
      shape,
      dtype: 'float64',
      dimensionNames: [name],
    });
    await array
      .select({ kind: 'all' })
      .write({ shape, data: Float64Array.from({ length: size }, (_, i) => i / 2) });
  }
  const { store, open } = gateStore(memory, (key) => /^(slow\/c\/[12]|x\/c)/.test(key));
  const gateway = createGateway({ stores: [{ name: 's', store }], graphiql: {} });
  const server = createHttpServer({
    config: parseConfig({ port: 0 }),
    gateway,
    logger: loggerTo([]),
    metrics: createMetrics(),
  });
  const address = await server.listen();
  onTestFinished(async () => {
    open();
    await Promise.all([server.close(), server.close()]);
    await gateway.close();
  });
  return { address, open };
}
