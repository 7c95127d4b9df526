/** The request for weights. Plain data. */
import { z } from 'zod';
import { MAX_WEIGHTS } from '../../zarr/index.js';

export const weightKinds = ['CELL_AREA', 'COS_LATITUDE'] as const;
export type WeightKind = (typeof weightKinds)[number];

export type WeightsRequest =
  | { readonly kind: WeightKind }
  /** Name of another variable of the dataset. */
  | { readonly variable: string }
  /** One number for each position along a dimension: its name, or its position as text. */
  | { readonly along: { readonly dim: string; readonly values: readonly number[] } };

export const weightsForm: z.ZodType<WeightsRequest> = z.union([
  z.strictObject({ kind: z.enum(weightKinds) }),
  z.strictObject({ variable: z.string() }),
  z.strictObject({
    along: z.strictObject({ dim: z.string(), values: z.array(z.number()).max(MAX_WEIGHTS) }),
  }),
]);
