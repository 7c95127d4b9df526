/** A gateway whose store has a long axis of hours, in one chunk, to exceed the memory of a request. */
import type { Gateway } from '../../server/index.js';
import { MemoryBudget } from '../../server/memory/budget.js';
import { arrayDocument, memoryGateway } from '../resolvers/gateway-client.js';

/** @param count number of hours since 2000, and of elements of the variable `v` */
export function hourlyGateway(count: number, maxRequestBytes: number): Promise<Gateway> {
  const memory = new MemoryBudget({ maxBytes: 2 * maxRequestBytes, maxRequestBytes, waitMs: 50 });
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [count] } };
  const along = { chunk_grid, dimension_names: ['t'] };
  const attributes = { units: 'hours since 2000-01-01' };
  return memoryGateway(
    {
      'zarr.json': { zarr_format: 3, node_type: 'group', attributes: {} },
      't/zarr.json': arrayDocument('int32', [count], { ...along, attributes }),
      'v/zarr.json': arrayDocument('uint8', [count], along),
    },
    { memory },
  );
}
