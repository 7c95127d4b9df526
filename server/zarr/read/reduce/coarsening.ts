/** A request to coarsen, checked against what is coarsened, before anything is read. Pure. */
import { InputError, SelectionError } from '../../errors.js';
import type { DataType } from '../../dtype/data-type.js';
import { positionOfDim, type ReducedDim } from './resolve.js';

export const coarsenMethods = ['MEAN', 'MIN', 'MAX', 'MODE', 'NEAREST', 'MEDIAN', 'SUM'] as const;
export type CoarsenMethod = (typeof coarsenMethods)[number];

export const boundaries = ['PARTIAL', 'TRIM', 'EXACT'] as const;
export type Boundary = (typeof boundaries)[number];

export interface CoarsenRequest {
  /** Dimensions by name, or by position as text, and how many elements of each are left at most. */
  readonly to: readonly { readonly dim: string; readonly size: number }[];
  /** What a block becomes; NEAREST: the element in its middle. Undefined: MODE for booleans and text, else MEAN. */
  readonly method?: CoarsenMethod | undefined;
  /**
   * What becomes of a last block with fewer elements: it is reduced as it is, left out, or an error.
   * @default 'PARTIAL'
   */
  readonly boundary?: Boundary | undefined;
}

/** One dimension: `blocks` of `factor` neighbours; the last one may have fewer. */
export interface Blocks {
  readonly factor: number;
  readonly blocks: number;
}

/** @returns of each dimension; undefined for those that stay. @throws InputError, SelectionError */
export function resolveCoarsen(
  { to, method, boundary = 'PARTIAL' }: CoarsenRequest,
  dims: readonly ReducedDim[],
): (Blocks | undefined)[] {
  if (to.length === 0) throw new InputError('"to" names no dimension');
  if (to.length > dims.length)
    throw new InputError(`"to" names ${to.length} dimensions; there are ${dims.length}`);
  if (method !== undefined && !coarsenMethods.includes(method))
    throw new InputError(`unknown method "${String(method)}"; the methods are ${coarsenMethods.join(', ')}`);
  if (!boundaries.includes(boundary))
    throw new InputError(
      `unknown boundary "${String(boundary)}"; the boundaries are ${boundaries.join(', ')}`,
    );
  const resolved = dims.map((): Blocks | undefined => undefined);
  for (const { dim, size } of to) {
    const d = positionOfDim(dim, dims);
    if (resolved[d] !== undefined) throw new InputError('"to" names a dimension twice');
    resolved[d] = blocksOf(dim, dims[d]?.size ?? 0, size, boundary);
  }
  return resolved;
}

function blocksOf(name: string, length: number, size: number, boundary: Boundary): Blocks {
  if (!Number.isSafeInteger(size) || size < 1)
    throw new InputError(`the size of "${name}" is ${size}; it must be an integer from 1`);
  const factor = Math.max(1, Math.ceil(length / size));
  const rest = length % factor;
  if (rest > 0 && boundary === 'EXACT')
    throw new SelectionError(
      `the dimension "${name}" has ${length} elements, which blocks of ${factor} do not divide; choose another size, or the boundary PARTIAL or TRIM`,
    );
  return { factor, blocks: boundary === 'TRIM' ? Math.floor(length / factor) : Math.ceil(length / factor) };
}

/** What blocks become where nothing is said. */
export function defaultMethod({ name }: DataType): CoarsenMethod {
  const isText = ['bool', 'json', 'string', 'fixed_length_utf32', 'null_terminated_bytes'].includes(name);
  return isText ? 'MODE' : 'MEAN';
}
