/** A page of a group with 10,000 arrays is read from consolidated metadata, with a few requests. */
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  openHierarchy,
  withMetrics,
  type JsonObject,
  type StoreCall,
} from '../../server/zarr/index.js';

const ARRAYS = 10_000;
const names = Array.from({ length: ARRAYS }, (_, i) => `v${String(i).padStart(5, '0')}`);

const v3Array: JsonObject = {
  zarr_format: 3,
  node_type: 'array',
  shape: [4],
  data_type: 'float32',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
  chunk_key_encoding: { name: 'default' },
  fill_value: 0,
  codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  attributes: { units: 'K' },
};
const v2Array: JsonObject = {
  zarr_format: 2,
  shape: [4],
  chunks: [4],
  dtype: '<f4',
  compressor: null,
  filters: null,
  fill_value: 0,
  order: 'C',
};

const documents: Record<'v2' | 'v3', Record<string, JsonObject>> = {
  v2: {
    '.zgroup': { zarr_format: 2 },
    '.zmetadata': {
      zarr_consolidated_format: 1,
      metadata: {
        '.zgroup': { zarr_format: 2 },
        ...Object.fromEntries(
          names.flatMap((name) => [
            [`${name}/.zarray`, v2Array],
            [`${name}/.zattrs`, { units: 'K' }],
          ]),
        ),
      },
    },
  },
  v3: {
    'zarr.json': {
      zarr_format: 3,
      node_type: 'group',
      attributes: {},
      consolidated_metadata: {
        kind: 'inline',
        must_understand: false,
        metadata: Object.fromEntries(names.map((name) => [name, v3Array])),
      },
    },
  },
};

async function openCounted(format: 'v2' | 'v3') {
  const memory = createMemoryStore({ label: 'large' });
  // One array document is enough, because no test reads the others.
  const own = format === 'v2' ? { 'v00500/.zarray': v2Array } : { 'v00500/zarr.json': v3Array };
  const objects: Record<string, JsonObject> = { ...documents[format], ...own };
  for (const [key, document] of Object.entries(objects))
    await memory.set(key, new TextEncoder().encode(JSON.stringify(document)));
  const calls: StoreCall[] = [];
  const store = withMetrics(memory, { ended: (call) => calls.push(call) });
  return { hierarchy: openHierarchy(store), calls };
}

describe.each(['v2', 'v3'] as const)('a store of 10,000 arrays, %s', (format) => {
  test('reads the first 100 members, and 100 after a cursor', async () => {
    const { hierarchy, calls } = await openCounted(format);
    const page = async (after?: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const entry of hierarchy.walk('/', after === undefined ? {} : { after })) {
        const node = entry.open();
        expect(node.meta.attributes).toEqual({ units: 'K' });
        found.push(entry.name);
        if (found.length === 100) break;
      }
      return found;
    };
    expect(await page()).toEqual(names.slice(0, 100));
    const first = calls.reduce((sum, call) => sum + call.requests, 0);
    expect(first).toBeLessThanOrEqual(5);
    expect(await page(`/${names[4999]}`)).toEqual(names.slice(5000, 5100));
    expect(await hierarchy.count('/')).toBe(ARRAYS);
    expect(calls.some((call) => call.operation === 'list')).toBe(false);
    expect(calls.reduce((sum, call) => sum + call.requests, 0)).toBeLessThanOrEqual(12);
  });

  test('opening one array by its path takes at most 12 requests and no listing', async () => {
    const { hierarchy, calls } = await openCounted(format);
    await expect(hierarchy.array('/v00500')).resolves.toMatchObject({ shape: [4] });
    expect(calls.some((call) => call.operation === 'list')).toBe(false);
    expect(calls.reduce((sum, call) => sum + call.requests, 0)).toBeLessThanOrEqual(12);
  });
});
