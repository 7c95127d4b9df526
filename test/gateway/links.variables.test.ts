/** Downloads of dataset variables: formats and validators of decoded values. */
import { describe, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';

const base = 'http://localhost/graphql';

describe('files of variables', () => {
  const group = JSON.stringify({ zarr_format: 3, node_type: 'group' });

  async function hrefs(query: string, objects: Record<string, unknown>) {
    const store = createMemoryStore({ label: 'm' });
    await store.set('zarr.json', Buffer.from(group));
    for (const [key, value] of Object.entries(objects))
      await store.set(key, value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)));
    const gateway = createGateway({ stores: [{ name: 'm', store }] });
    const { data } = await execute(gateway, `{ store(name: "m") { dataset { variable(name: ${query} } } } }`);
    const href = String(data.store.dataset.variable.slice.href);
    return {
      store,
      get: () => gateway.fetch(new Request(new URL(href, base)), fullAccess),
    };
  }

  test('bounds have another ETag when the units used to decode them change', async () => {
    const time = (units: string) =>
      arrayDocument('int32', [2], { dimension_names: ['time'], attributes: { units, bounds: 'bnds' } });
    const { store, get } = await hrefs('"bnds") { slice { href(format: JSON) }', {
      'time/zarr.json': time('days since 2000-01-01'),
      'bnds/zarr.json': arrayDocument('int32', [2, 2], { dimension_names: ['time', 'nv'] }),
    });
    const before = await get();
    expect(await before.text()).toContain('2000-01-01');
    await store.set('time/zarr.json', Buffer.from(JSON.stringify(time('days since 2001-01-01'))));
    const after = await get();
    expect(await after.text()).toContain('2001-01-01');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  test('text stored as characters has columns for its own dimensions only', async () => {
    const { get } = await hrefs('"t") { slice(select: { text: "::-1" }) { href(format: CSV) }', {
      't/.zarray': { zarr_format: 2, shape: [2, 3], chunks: [2, 3], dtype: '|S1', compressor: null, fill_value: null, order: 'C', filters: null },
      't/.zattrs': { _ARRAY_DIMENSIONS: ['x', 'characters'] },
      't/0.0': Buffer.from('abcde\0'),
    }); // prettier-ignore
    expect(await (await get()).text()).toBe('x,value\r\n1,de\r\n0,abc\r\n');
  });
});
