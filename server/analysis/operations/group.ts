/** Reduces groups of positions along a dimension. */
import * as z from 'zod';
import {
  type GroupingRequest,
  binSides,
  calendarParts,
  calendarUnits,
} from '../../dataset/grouping/grouping.js';
import { resolveGrouping, resolveListedGrouping } from '../../dataset/grouping/resolve-grouping.js';
import { groupSlice, reductionNames, anomalySlice } from '../../zarr/index.js';
import type { Operation } from './operation.js';
import { quantileLabels, type ReduceArguments, reductionOptions } from './reduce.js';
import { findWeights } from '../weights/find-weights.js';
import { optionsOf } from './reduction-parameter.js';

/** Maximum number of bin edges in a link. */
const MAX_EDGES = 10_000;

const dim = z.string();

const groupingForm: z.ZodType<GroupingRequest> = z.union([
  z.strictObject({
    resample: z.strictObject({
      dim,
      every: z.int().exactOptional(),
      unit: z.enum(calendarUnits),
      fromMonth: z.int().exactOptional(),
      fromWeekday: z.int().exactOptional(),
    }),
  }),
  z.strictObject({ part: z.strictObject({ dim, part: z.enum(calendarParts) }) }),
  z.strictObject({
    bins: z.strictObject({
      dim,
      edges: z.array(z.union([z.number(), z.string().max(100)])).max(MAX_EDGES),
      closed: z.enum(binSides).exactOptional(),
    }),
  }),
  z.strictObject({ values: z.strictObject({ dim, coordinate: z.string().exactOptional() }) }),
]);

export interface GroupRequest extends Omit<ReduceArguments, 'over' | 'by'> {
  readonly by: GroupingRequest;
  readonly reduce: ReduceArguments['by'];
}

const groupForm: z.ZodType<GroupRequest> = z.strictObject({
  by: groupingForm,
  reduce: z.enum(reductionNames),
  ...reductionOptions,
});

export const groupOperation: Operation<{ readonly group: GroupRequest }, GroupRequest> = {
  form: groupForm,
  resolve: async (request) => ({ group: request }),
  async apply(slice, { by, reduce, using, ...request }, scope) {
    const { weights, ...options } = optionsOf(using);
    const grouping = await resolveGrouping(slice, by, scope);
    const factors = weights === undefined ? undefined : await findWeights(slice, weights, scope);
    return groupSlice(
      slice,
      grouping,
      { by: reduce, ...request, ...options },
      quantileLabels(options.q),
      factors,
    );
  },
};

/** Deviations from the means of groups. */
export const anomalyOperation: Operation<{ readonly anomaly: GroupingRequest }, GroupingRequest> = {
  form: groupingForm,
  resolve: async (by) => ({ anomaly: by }),
  apply: async (slice, by, scope) => anomalySlice(slice, await resolveListedGrouping(slice, by, scope)),
};
