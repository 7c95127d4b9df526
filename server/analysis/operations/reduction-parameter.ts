/** Parameters that only some reductions accept. */
import * as z from 'zod';
import { weightsForm, type WeightsRequest } from '../weights/find-weights.js';

const MAX_QUANTILES = 64;

/** One parameter, as in the input type of the same name. */
export type ReductionParameter =
  { readonly q: readonly number[] } | { readonly ddof: number } | { readonly weights: WeightsRequest };

export const parameterForm: z.ZodType<ReductionParameter> = z.union([
  z.strictObject({ q: z.array(z.number().min(0).max(1)).max(MAX_QUANTILES) }),
  z.strictObject({ ddof: z.int().min(0) }),
  z.strictObject({ weights: weightsForm }),
]);

/** A parameter as separate options. */
interface ParameterOptions {
  readonly q?: readonly number[];
  readonly ddof?: number;
  readonly weights?: WeightsRequest;
}

export function optionsOf(using: ReductionParameter | undefined): ParameterOptions {
  return using ?? {};
}
