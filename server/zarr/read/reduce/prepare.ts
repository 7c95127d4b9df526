/** What each reduction looks at: the planes of its kernel, made of the elements and their positions. Pure. */
import type { DataType } from '../../dtype/data-type.js';
import { least } from './least.js';
import { moments } from './moments.js';
import type { ReductionName } from './reduction.js';
import type { Kernel } from './state.js';
import { sums } from './sums.js';
import { planesOf, WORD, type Widened } from './widen.js';

export function kernelOf(by: ReductionName): Kernel {
  switch (by) {
    case 'COUNT':
    case 'SUM':
    case 'MEAN':
    case 'ANY':
    case 'ALL':
      return sums;
    case 'STD':
    case 'VAR':
      return moments;
    default:
      return least;
  }
}

export function needsPositions(by: ReductionName): boolean {
  return by === 'FIRST' || by === 'LAST' || by === 'ARGMIN' || by === 'ARGMAX';
}

/** How many planes `prepare` makes. */
export function preparedPlanes(by: ReductionName, dtype: DataType, skipMissing: boolean): number {
  const own = planesOf(dtype);
  switch (by) {
    case 'COUNT':
      return 0;
    case 'STD':
    case 'VAR':
    case 'ANY':
    case 'ALL':
      return 1;
    case 'FIRST':
    case 'LAST':
      return 1 + own;
    case 'ARGMIN':
    case 'ARGMAX':
      return own + (skipMissing ? 1 : 2);
    default:
      return own;
  }
}

/**
 * @param widened its planes may be changed
 * @param positions of the elements along what is reduced, where `needsPositions`
 */
export function prepare(
  by: ReductionName,
  skipMissing: boolean,
  { planes, present }: Widened,
  dtype: DataType,
  positions: Float64Array,
): readonly Float64Array[] {
  switch (by) {
    case 'COUNT':
      return [];
    case 'SUM':
    case 'MEAN':
      return masked(planes, present, 0);
    case 'STD':
    case 'VAR':
      return masked([asOne(planes, dtype)], present, 0);
    case 'ANY':
    case 'ALL':
      // NaN is true, as in NumPy.
      return [asOne(planes, dtype).map((value) => (value === 0 ? 0 : 1))];
    case 'MIN':
      return masked(planes, present, Infinity);
    case 'MAX':
      return masked(planes.map(negated), present, Infinity);
    case 'FIRST':
      return masked([positions, ...planes], skipMissing ? present : undefined, Infinity);
    case 'LAST':
      return masked([negated(positions), ...planes], skipMissing ? present : undefined, Infinity);
    case 'ARGMIN':
    case 'ARGMAX': {
      const keys = by === 'ARGMIN' ? planes : planes.map(negated);
      if (skipMissing) return masked([...keys, positions], present, Infinity);
      // The first missing one comes before all values.
      const flags = present ?? new Float64Array(positions.length).fill(1);
      return [flags, ...masked(keys, present, 0), positions];
    }
  }
}

function asOne([high, low]: readonly Float64Array[], dtype: DataType): Float64Array {
  if (high === undefined) throw new TypeError(`values of the type ${dtype.name} are no numbers`);
  return low === undefined ? high : high.map((word, i) => word * WORD + (low[i] ?? 0));
}

function negated(plane: Float64Array): Float64Array {
  return plane.map((value) => -value);
}

function masked(
  planes: readonly Float64Array[],
  present: Float64Array | undefined,
  instead: number,
): readonly Float64Array[] {
  if (present !== undefined)
    for (const plane of planes)
      for (let i = 0; i < plane.length; i++) if (present[i] === 0) plane[i] = instead;
  return planes;
}
