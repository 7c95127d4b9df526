/**
 * Executes the code of first requests before the server listens, so that V8 has compiled it and the threads have
 * started.
 */
import { createGateway } from '../gateway.js';
import { fullAccess } from '../gateway/options.js';
import { createChunkCache, createMemoryStore, type HierarchyOptions, openHierarchy } from '../zarr/index.js';

const sampleQuery = (field: string): string =>
  'query($t: BigInt!) { store(name: "sample") { array(path: "a") { dtype { name } attributes dimensions { name size } ' +
  `slice(select: { dims: [{ index: $t }] }) { shape ${field} } } } }`;

/**
 * Reads slices of a small array in memory through a separate gateway, as base64 and as CBOR, so that the first slice
 * after the start takes less time. Larger samples save more, but the C library keeps their memory (figures:
 * bench/records.md, attempts of "Gateway").
 * @throws Error if a response has a status other than 200, or errors
 */
export async function warmUp({ decoding }: HierarchyOptions): Promise<void> {
  const store = createMemoryStore({ label: 'sample' });
  const [times, size] = [2, 64];
  const array = await openHierarchy(store).createArray('a', {
    dtype: 'float32',
    shape: [times, size, size],
    chunkShape: [2, size / 2, size / 2],
    dimensionNames: ['t', 'y', 'x'],
    attributes: { units: 'K' },
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'zstd' }],
  });
  const row = Array.from({ length: size }, (_, x) => 280 + ((x * 7919) % 13) / 8);
  await array.select({ kind: 'all' }).write(row);
  const gateway = createGateway({
    stores: [{ name: 'sample', store }],
    engine: { chunkCache: createChunkCache(2 ** 20), ...(decoding === undefined ? {} : { decoding }) },
  });
  const forms = [
    { accept: 'application/json', query: sampleQuery('base64 { data }') },
    { accept: 'application/cbor', query: sampleQuery('values') },
  ];
  for (let t = 0; t < times; t++) for (const form of forms) await respond(gateway, form, { t });
}

async function respond(
  gateway: ReturnType<typeof createGateway>,
  { accept, query }: { readonly accept: string; readonly query: string },
  variables: object,
): Promise<void> {
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query, variables }),
    }),
    fullAccess,
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200 || bytes.includes('"errors"'))
    throw new Error(`warming up failed with ${response.status}: ${bytes.toString('utf8', 0, 1000)}`);
}
