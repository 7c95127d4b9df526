/** The stored form of groupings in links. */
import { z } from 'zod';
import {
  binSides,
  calendarParts,
  calendarUnits,
  type GroupingRequest,
} from '../../dataset/grouping/grouping.js';

/** Maximum number of bin edges that fit into a link. */
const MAX_EDGES = 10_000;

const dim = z.string();

export const groupingForm: z.ZodType<GroupingRequest> = z.union([
  z.strictObject({
    resample: z.strictObject({ dim, every: z.int().exactOptional(), unit: z.enum(calendarUnits) }),
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
