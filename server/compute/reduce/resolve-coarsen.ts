/** Validates requests for coarsening. */
import type { DataType } from '../../core/dtype/data-type.js';
import { InputError, SelectionError } from '../../core/errors.js';
import { type ReducedDim, positionOfDim } from './resolve.js';

export const coarsenMethods = ['MEAN', 'MIN', 'MAX', 'MODE', 'NEAREST', 'MEDIAN', 'SUM'] as const;
export type CoarsenMethod = (typeof coarsenMethods)[number];

export const boundaries = ['PARTIAL', 'TRIM', 'EXACT'] as const;
export type Boundary = (typeof boundaries)[number];

export interface CoarsenRequest {
  /** Dimensions, by name or by position as text, and the maximum length of each. */
  readonly to: readonly { readonly dim: string; readonly size: number }[];
  /**
   * The reduction of a block. NEAREST selects the middle element.
   * @default MODE for booleans and text, else MEAN
   */
  readonly method?: CoarsenMethod | undefined;
  /**
   * Treatment of a last block with fewer elements: reduce it, omit it, or throw an error.
   * @default 'PARTIAL'
   */
  readonly boundary?: Boundary | undefined;
}

/**
 * The blocks along one dimension: `blocks` blocks of `factor` consecutive elements. The last block may be
 * shorter.
 */
export interface Blocks {
  readonly factor: number;
  readonly blocks: number;
}

/**
 * @returns one entry per dimension; undefined for unchanged dimensions
 * @throws InputError or SelectionError for an invalid request
 */
export function resolveCoarsen(
  { to, method, boundary = 'PARTIAL' }: CoarsenRequest,
  dims: readonly ReducedDim[],
): (Blocks | undefined)[] {
  if (to.length === 0) throw new InputError('"to" must name at least one dimension');
  if (to.length > dims.length)
    throw new InputError(`"to" names ${to.length} dimensions; the slice has ${dims.length}`);
  if (method !== undefined && !coarsenMethods.includes(method))
    throw new InputError(`unknown method "${String(method)}"; the methods are ${coarsenMethods.join(', ')}`);
  if (!boundaries.includes(boundary))
    throw new InputError(
      `unknown boundary "${String(boundary)}"; the boundaries are ${boundaries.join(', ')}`,
    );
  const resolved = dims.map((): Blocks | undefined => undefined);
  for (const { dim, size } of to) {
    const d = positionOfDim(dim, dims);
    if (resolved[d] !== undefined) throw new InputError(`"to" lists "${dim}" more than once`);
    resolved[d] = blocksOf(dim, dims[d].size, size, boundary);
  }
  return resolved;
}

function blocksOf(name: string, length: number, size: number, boundary: Boundary): Blocks {
  if (!Number.isSafeInteger(size) || size < 1)
    throw new InputError(`the size of "${name}" is ${size}; expected a positive integer`);
  const factor = Math.max(1, Math.ceil(length / size));
  const rest = length % factor;
  if (rest > 0 && boundary === 'EXACT')
    throw new SelectionError(
      `the dimension "${name}" has ${length} elements, which is not a multiple of ${factor}; choose another size, or set "boundary" to PARTIAL or TRIM`,
    );
  return { factor, blocks: boundary === 'TRIM' ? Math.floor(length / factor) : Math.ceil(length / factor) };
}

export function defaultMethod({ name }: DataType): CoarsenMethod {
  const isText = ['bool', 'json', 'string', 'fixed_length_utf32', 'null_terminated_bytes'].includes(name);
  return isText ? 'MODE' : 'MEAN';
}
