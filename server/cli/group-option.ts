/** The option `--group`: values of each month, season or period along a dimension, reduced to one. */
import { type GroupRequest, groupOperation } from '../analysis/operations/group.js';
import { createCoordinateCache, createCoordinateReader } from '../dataset/coordinate-reader.js';
import type { Dataset } from '../dataset/dataset.js';
import { calendarParts, calendarUnits, type GroupingRequest } from '../dataset/grouping/grouping.js';
import { type LazySlice, reductionNames } from '../zarr/index.js';
import { UsageError } from './run-command.js';

/** @throws UsageError */
export function parseGroup(text: string): GroupRequest {
  const [what = '', dim = '', name = '', ...rest] = text.split(':');
  const by = groupingOf(what.toUpperCase(), dim);
  const reduce = reductionNames.find((known) => known !== 'QUANTILE' && known === name.toUpperCase());
  if (by === undefined || reduce === undefined || dim === '' || rest.length > 0)
    throw new UsageError(
      `--group ${JSON.stringify(text)} must be GROUPS:DIMENSION:NAME, such as month:time:mean; the groups are ${calendarParts.map((part) => part.toLowerCase()).join(', ')}, or periods such as 1month or 10day`,
    );
  return { by, reduce };
}

function groupingOf(what: string, dim: string): GroupingRequest | undefined {
  const part = calendarParts.find((known) => known === what);
  if (part !== undefined) return { part: { dim, part } };
  const [, every, name] = /^(\d{1,7})([A-Z]+)$/.exec(what) ?? [];
  const unit = calendarUnits.find((known) => known === name);
  return unit === undefined ? undefined : { resample: { dim, every: Number(every), unit } };
}

/** @throws UsageError without a dataset; errors of `group` */
export async function groupBy(
  slice: LazySlice,
  dataset: Dataset | undefined,
  request: GroupRequest,
): Promise<LazySlice> {
  if (dataset === undefined)
    throw new UsageError('--group requires --decode or --compute, because it groups by dates');
  const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate) => coordinate.read());
  return groupOperation.apply(slice, request, { dataset: async () => dataset, coordinates });
}
