/** The metadata of sharded arrays, and a store that counts requests. */
import type { JsonValue } from '../../../server/core/bytes/json.js';
import type { KeyStore } from '../../../server/zarr/index.js';

export const encoder = new TextEncoder();

/** The metadata of a one-dimensional uint8 array in shards of inner chunks of one element. */
export function sharded(shape: number, shard: number, index: JsonValue[], location = 'end'): Uint8Array {
  return encoder.encode(
    JSON.stringify({
      zarr_format: 3,
      node_type: 'array',
      shape: [shape],
      data_type: 'uint8',
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [shard] } },
      chunk_key_encoding: { name: 'default' },
      fill_value: 0,
      codecs: [
        {
          name: 'sharding_indexed',
          configuration: {
            chunk_shape: [1],
            codecs: [{ name: 'bytes' }],
            index_codecs: index,
            index_location: location,
          },
        },
      ],
    }),
  );
}

/** Counts requests for chunks, the bytes of their ranges (`bytes` in total, `most` at once), and writes. */
export function counted(base: KeyStore) {
  const seen = { reads: 0, bytes: 0, writes: 0, most: 0 };
  let bytesInFlight = 0;
  const store: KeyStore = {
    ...base,
    async getMany(requests, each, options) {
      const chunks = requests.filter(({ key }) => key.startsWith('c/'));
      const bytes = chunks.reduce(
        (sum, { range }) => sum + (range === undefined ? 0 : 'suffix' in range ? range.suffix : range.length),
        0,
      );
      seen.reads += chunks.length;
      seen.bytes += bytes;
      bytesInFlight += bytes;
      seen.most = Math.max(seen.most, bytesInFlight);
      await new Promise((resolve) => setImmediate(resolve));
      try {
        await base.getMany(requests, each, options);
      } finally {
        bytesInFlight -= bytes;
      }
    },
    set: (...args) => {
      seen.writes++;
      return base.set(...args);
    },
  };
  return { store, seen };
}
