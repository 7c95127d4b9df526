/** Parameters that only some reductions accept. */
import * as z from 'zod';
import { InputError, UnsupportedError, type ReductionName } from '../../zarr/index.js';
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

/**
 * The options of a reduction that does not support weights.
 * @throws UnsupportedError for weights
 */
export function unweightedOptionsOf(
  by: ReductionName,
  using: ReductionParameter | undefined,
  of: string,
): Omit<ParameterOptions, 'weights'> {
  const { weights, ...options } = optionsOf(using);
  if (weights !== undefined)
    throw new UnsupportedError(`${by} of ${of} does not support weights; only "reduce" and "group" do`);
  return options;
}

/** @throws InputError for another parameter than `ddof` */
export function ddofOf(
  by: ReductionName,
  using: ReductionParameter | undefined,
  of: string,
): number | undefined {
  const { q, ddof } = unweightedOptionsOf(by, using, of);
  if (q !== undefined) throw new InputError(`${by} of ${of} does not accept "q"`);
  return ddof;
}
