/** A small dataset whose days fall into three months. */
import type { KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, memoryStore } from '../gateway-client.js';

const floats = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);
export const integers = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);

/** t by time (6 days from 2000-02-28, then 2000-04-01) and x, in chunks of 4 days; the last chunk is not stored and is 10. */
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
