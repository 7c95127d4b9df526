/** Computes the factors of weights: numbers along some dimensions of a slice. */
import { toTypedArray } from '../core/dtype/arrays.js';
import { InputError, throwIfAborted, withContext } from '../core/errors.js';
import type { AxisNumbers } from '../compute/cells.js';
import { dimSelectionOf, type ResolvedDim } from '../format/selection/selection.js';
import { createPause } from '../core/turns.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';

/** Conversion of numbers to weights. */
export type WeightForm =
  | 'plain'
  /** The cosine of an angle in degrees. */
  | 'cosine'
  /** The difference between the sines of two latitudes. The last dimension has the two values. */
  | 'sineDistance'
  /**
   * The difference between two longitudes. The last dimension has the two values. One pair may cross the ends
   * of the coordinate (360 to 0).
   */
  | 'turn';

/** One factor of the elements' weights. */
export interface WeightFactor {
  /** Numbers along some dimensions of the slice. Distances are computed from a last dimension with two edges. */
  readonly source: LazySlice | { readonly numbers: Float64Array };
  /**
   * For each dimension of the source: index of the dimension in the slice. Weights do not vary along other
   * dimensions.
   */
  readonly axes: readonly number[];
  readonly form: WeightForm;
  /** Factor of all weights. @default 1 */
  readonly scale?: number;
  /** Name for error messages, for example "the variable area". */
  readonly label: string;
}

export function sizeOfFactor({ source }: WeightFactor): number {
  return 'numbers' in source
    ? source.numbers.length
    : source.shape.reduce((size, length) => size * length, 1);
}

/** @param dims dimensions of the selection from the slice */
export function selectFactor(factor: WeightFactor, dims: readonly ResolvedDim[]): WeightFactor {
  const { source, axes } = factor;
  const own = axes.flatMap((axis) => dims[axis] ?? []);
  const kept = axes.filter((axis) => dims[axis]?.dropped === false);
  const outputAxes = kept.map((axis) => dims.slice(0, axis).filter(({ dropped }) => !dropped).length);
  if ('numbers' in source) {
    const [dim] = own;
    const numbers = dim === undefined ? source.numbers : numbersAt(source.numbers, dim);
    return { ...factor, source: { numbers }, axes: outputAxes };
  }
  return {
    ...factor,
    source: source.select({ kind: 'dims', dims: own.map(dimSelectionOf) }),
    axes: outputAxes,
  };
}

function numbersAt(numbers: Float64Array, dim: ResolvedDim): Float64Array {
  if (dim.kind === 'list') return dim.at.map((position) => numbers[position] ?? NaN);
  return Float64Array.from({ length: dim.count }, (_, i) => numbers[dim.start + i * dim.step] ?? NaN);
}

/** @throws InputError for a missing, infinite or negative weight; errors from reading */
export async function readWeights(
  factors: readonly WeightFactor[],
  options: SliceFoldOptions,
  { shape }: Pick<LazySlice, 'shape'>,
): Promise<AxisNumbers[]> {
  const weights: AxisNumbers[] = [];
  for (const { source, axes, form, scale = 1, label } of factors) {
    const numbers = 'numbers' in source ? source.numbers : await readNumbers(source, options);
    const where = 'numbers' in source ? undefined : source.where;
    const own = await computeWeights(numbers, form, scale, label, options.signal).catch((error: unknown) => {
      throw where === undefined ? error : withContext(error, where);
    });
    weights.push({ axes, lengths: axes.map((axis) => shape[axis] ?? 1), numbers: own });
  }
  return weights;
}

async function readNumbers(
  source: LazySlice,
  { signal, limits, onVersion }: SliceFoldOptions,
): Promise<ArrayLike<unknown>> {
  return toTypedArray(await source.read({ signal, limits, onVersion }));
}

/** Number of weights computed between two checks of the clock. */
const STEP = 16_384;

async function computeWeights(
  values: ArrayLike<unknown>,
  form: WeightForm,
  scale: number,
  label: string,
  signal: AbortSignal | undefined,
): Promise<Float64Array> {
  const at = (i: number): number => Number(values[i]);
  const weightAt = weightsBy(form, at, values.length);
  const weights = new Float64Array(isPair(form) ? values.length / 2 : values.length);
  const pause = createPause();
  for (let i = 0; i < weights.length; i++) {
    const weight = scale * weightAt(i);
    if (!(weight >= 0 && weight < Infinity))
      throw new InputError(
        `a weight of ${label} is ${shown(weight)}; weights must be finite numbers of at least 0`,
      );
    weights[i] = weight;
    if (i % STEP !== STEP - 1) continue;
    await pause();
    throwIfAborted(signal);
  }
  return weights;
}

function shown(weight: number): string {
  return Number.isNaN(weight) ? 'missing' : String(weight);
}

const DEGREE = Math.PI / 180;

export function isPair(form: WeightForm): boolean {
  return form === 'sineDistance' || form === 'turn';
}

function weightsBy(form: WeightForm, at: (i: number) => number, count: number): (i: number) => number {
  switch (form) {
    case 'plain':
      return at;
    case 'cosine':
      return (i) => Math.cos(at(i) * DEGREE);
    case 'sineDistance':
      return (i) => Math.abs(Math.sin(at(2 * i + 1) * DEGREE) - Math.sin(at(2 * i) * DEGREE));
    case 'turn': {
      const turned = createTurn(at, count / 2);
      return (i) => turned(at(2 * i + 1) - at(2 * i));
    }
  }
}

/**
 * Creates a function that computes distances between edges. All distances have the same sign, except one that
 * crosses the ends of the coordinate.
 */
function createTurn(at: (i: number) => number, pairs: number): (distance: number) => number {
  if (pairs === 1) return (distance) => (distance < -180 ? distance + 360 : Math.abs(distance));
  let rising = 0;
  for (let i = 0; i < pairs; i++) rising += Math.sign(at(2 * i + 1) - at(2 * i));
  const sign = rising < 0 ? -1 : 1;
  return (distance) => (distance * sign < 0 ? distance * sign + 360 : distance * sign);
}
