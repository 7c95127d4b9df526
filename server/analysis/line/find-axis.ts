/** Finds the dimension of a line's x-axis and its coordinate. */
import { defined } from '../../../wire/guards.js';
import { printAlong } from '../../dataset/positions.js';
import { indexAlong } from '../../dataset/slice-coordinates.js';
import type { Variable } from '../../dataset/variable.js';
import { InputError, type LazySlice, SelectionError } from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';
import { coordinateAxis, hasNumbers } from './coordinate-axis.js';
import { type LineAxis, indexAxis } from './line-axis.js';

/**
 * The dimension's position in the slice.
 * @param along name of the dimension, or its position as text; undefined for the first dimension
 * @throws SelectionError for an unknown dimension, or a slice without one or two dimensions
 */
export function lineDimension({ dims }: LazySlice, along: string | undefined): number {
  if (dims.length < 1 || dims.length > 2)
    throw new SelectionError(
      `a line requires a slice of one dimension, or of two for several lines; this slice has ${dims.length}`,
    );
  if (along === undefined) return 0;
  const named = dims.findIndex(({ name }) => name === along);
  if (named >= 0) return named;
  const position = /^[01]$/.test(along) ? Number(along) : NaN;
  if (position < dims.length) return position;
  const names = dims.map(({ name }, d) => `"${name ?? d}"`).join(', ');
  throw new SelectionError(`unknown dimension "${along}"; the dimensions are ${names}`);
}

/**
 * @param d position of the dimension
 * @throws SelectionError for a coordinate of another size; errors from reading it
 */
export async function findAxis(slice: LazySlice, d: number, scope: OperationScope): Promise<LineAxis> {
  const coordinate = await indexAlong(slice, d, scope.dataset);
  if (coordinate === undefined) return indexAxis(defined(slice.shape[d]));
  const { name, variable } = coordinate;
  const labels = await coordinate.labels(scope.coordinates);
  if (labels === undefined)
    throw new SelectionError(
      `the coordinate "${name}" cannot be averaged over blocks; a line requires a coordinate of numbers or dates`,
    );
  const { stored, decoding } = labels;
  // Seasons and other text that an operation created are drawn at their positions.
  if (variable === undefined && !hasNumbers(decoding)) return indexAxis(defined(slice.shape[d]));
  const create = (): LineAxis => coordinateAxis(name, stored, decoding);
  const { positions } = coordinate;
  return variable === undefined || positions === undefined
    ? create()
    : sharedAxis(scope, variable, printAlong(positions), create);
}

interface KnownAxis {
  readonly variable: Variable;
  /** The selected part of the variable, as JSON. */
  readonly part: string;
  readonly axis: LineAxis;
}

/** The most recently created axes of a request. The lines of a request usually share one axis. */
const latest = new WeakMap<OperationScope['coordinates'], KnownAxis[]>();
const MAX_AXES = 8;

function sharedAxis(
  { coordinates }: OperationScope,
  variable: Variable,
  part: string,
  create: () => LineAxis,
): LineAxis {
  const known = latest.get(coordinates) ?? [];
  latest.set(coordinates, known);
  const shared = known.find((other) => other.variable === variable && other.part === part);
  if (shared !== undefined) return shared.axis;
  const axis = create();
  known.push({ variable, part, axis });
  if (known.length > MAX_AXES) known.shift();
  return axis;
}

/** @throws InputError for a width that is not allowed */
export function assertWidth(width: number): void {
  if (!Number.isSafeInteger(width) || width < 1 || width > MAX_WIDTH)
    throw new InputError(`the width is ${width}; expected an integer from 1 to ${MAX_WIDTH}`);
}

/** Maximum number of bins: more than any screen has pixels. */
const MAX_WIDTH = 100_000;
