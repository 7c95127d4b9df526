/** Two small datasets in memory, and a gateway that counts decoded chunks and cache lookups. */
import { createGateway, type Gateway, type GatewayConfig } from '../../../server/index.js';
import type { KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, execute, memoryStore } from '../gateway-client.js';

export const grid = (chunk: number[]) => ({
  chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
});

export const floats = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);

/** t: [[[0, 1], [2, 3]], [[4, NaN], [6, 7]]] by time, lat and lon; its second chunk is absent and reads as 10. */
export function gridStore(): Promise<KeyStore> {
  return memoryStore({
    'zarr.json': { zarr_format: 3, node_type: 'group' },
    't/zarr.json': arrayDocument('float32', [3, 2, 2], {
      ...grid([2, 2, 2]),
      dimension_names: ['time', 'lat', 'lon'],
      fill_value: 10,
    }),
    't/c/0/0/0': floats(0, 1, 2, 3, 4, NaN, 6, 7),
    'lat/zarr.json': arrayDocument('float32', [2], { dimension_names: ['lat'] }),
    'lat/c/0': floats(-45, 45),
    'n/zarr.json': arrayDocument('int64', [2], {}),
    'n/c/0': Buffer.from(BigInt64Array.of(2n ** 62n, 2n ** 62n).buffer),
  });
}

/** Counters of the gateways of a test. */
export interface Seen {
  /** Number of decoded chunks. */
  decoded: number;
  /** Outcomes of the lookups in the result cache. */
  readonly outcomes: string[];
}

export function countingGateway(store: KeyStore, seen: Seen, config: Partial<GatewayConfig> = {}): Gateway {
  return createGateway({
    stores: [{ name: 'm', store }],
    metrics: {
      chunksDecoded: (chunks) => {
        seen.decoded += chunks;
      },
      resultLookup: (outcome) => seen.outcomes.push(outcome),
    },
    ...config,
  });
}

export const integers = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);

/**
 * t by time and x, in chunks of 4 days. The days fall into three months: 2000-02-28 and five days from 2000-03-01
 * (without leap day), and 2000-04-03. The last chunk is absent and reads as 10.
 */
export function monthlyStore(): Promise<KeyStore> {
  return memoryStore({
    'zarr.json': { zarr_format: 3, node_type: 'group' },
    't/zarr.json': arrayDocument('float32', [7, 2], {
      dimension_names: ['time', 'x'],
      fill_value: 10,
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [4, 2] } },
    }),
    't/c/0/0': floats(0, 1, 2, NaN, 4, 5, 6, 7),
    'time/zarr.json': arrayDocument('int32', [7], {
      dimension_names: ['time'],
      attributes: { units: 'days since 2000-02-28', calendar: 'noleap' },
    }),
    'time/c/0': integers(0, 1, 2, 3, 4, 5, 34),
    'depth/zarr.json': arrayDocument('float32', [7], { dimension_names: ['time'], fill_value: 'NaN' }),
    'depth/c/0': floats(1, 2, 5, 2, 1, NaN, 1),
    'i/zarr.json': arrayDocument('int16', [7], { dimension_names: ['time'], fill_value: 3 }),
  });
}

/** The slice of a whole array, with the requested fields. */
export async function wholeSlice(gateway: Gateway, path: string, inner: string) {
  const document = `{ store(name: "m") { array(path: "${path}") { slice { ${inner} } } } }`;
  const { data, errors } = await execute(gateway, document);
  return { slice: data?.store?.array?.slice, errors };
}
