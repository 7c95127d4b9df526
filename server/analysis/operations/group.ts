/** Reduces groups of positions along a dimension. */
import { z } from 'zod';
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import { resolveGrouping } from '../../dataset/grouping/resolve-grouping.js';
import { groupSlice, type ReduceRequest, reductionNames } from '../../zarr/index.js';
import { groupingForm } from './grouping-form.js';
import type { Operation } from './operation.js';
import { quantileLabels, reductionOptions } from './reduce.js';

export interface GroupRequest extends Omit<ReduceRequest, 'over' | 'by'> {
  readonly by: GroupingRequest;
  readonly reduce: ReduceRequest['by'];
}

const groupForm: z.ZodType<GroupRequest> = z.strictObject({
  by: groupingForm,
  reduce: z.enum(reductionNames),
  ...reductionOptions,
});

export const groupOperation: Operation<{ readonly group: GroupRequest }, GroupRequest> = {
  form: groupForm,
  resolve: async (request) => ({ group: request }),
  async apply(slice, { by, reduce, ...options }, scope) {
    const grouping = await resolveGrouping(slice, by, scope);
    return groupSlice(slice, grouping, { by: reduce, ...options }, quantileLabels(options.q));
  },
};
