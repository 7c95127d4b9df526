import type { Grouping } from '../generated/operations.js';
import type { GroupBy } from './types.js';

/** Integers beyond 2^53 are decimal text. Dates are ISO text without a time zone, like labels of dates. */
export function groupingInput(by: GroupBy): Grouping {
  if (by.resample !== undefined) return { resample: { every: 1, ...by.resample } };
  if (by.part !== undefined) return { part: by.part };
  if (by.values !== undefined) return { values: by.values };
  const { dim, edges, closed = 'RIGHT' } = by.bins;
  const labels = edges.map((edge) =>
    edge instanceof Date ? edge.toISOString().slice(0, -1) : typeof edge === 'bigint' ? String(edge) : edge,
  );
  return { bins: { dim, edges: labels, closed } };
}
