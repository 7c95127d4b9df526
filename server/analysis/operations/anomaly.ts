/** Deviations from the means of groups. */
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import { resolveGrouping } from '../../dataset/grouping/resolve-grouping.js';
import { anomalySlice } from '../../zarr/index.js';
import { groupingForm } from './grouping-form.js';
import type { Operation } from './operation.js';

export const anomalyOperation: Operation<{ readonly anomaly: GroupingRequest }, GroupingRequest> = {
  form: groupingForm,
  resolve: async (by) => ({ anomaly: by }),
  apply: async (slice, by, scope) => anomalySlice(slice, await resolveGrouping(slice, by, scope)),
};
