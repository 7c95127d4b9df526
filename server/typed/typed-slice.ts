/** Slices of the generated schema: slices of the generic schema, with the names and labels of their dimensions. */
import { NDArrayValue } from '../transport/nd-array-value.js';
import { InputError, SelectionError, UnsupportedError } from '../zarr/index.js';
import type { GatewayContext } from '../resolvers/context.js';
import type { DimSelection, SliceStep } from '../resolvers/generated/types.js';
import type { ArrayModel, SliceModel, VariableModel } from '../resolvers/models.js';
import { sliceByInput, sliceOfSlice } from '../resolvers/slices/slice-model.js';
import type { DimFacts } from './facts.js';
import { genericSelection, type TypedSelection } from './selections.js';

/** A slice, whose values are read on demand. */
export interface TypedSlice {
  readonly model: SliceModel;
  readonly variable: VariableModel | undefined;
  readonly array: ArrayModel | undefined;
  /**
   * For an array that is selected by position: the dimension of each axis of the slice, undefined for an axis that an
   * operation added. Undefined for slices that are selected by name.
   */
  readonly axes: readonly (DimFacts | undefined)[] | undefined;
}

/** Selections by the dimensions that they are for. Dimensions without one are not listed. */
export type GivenSelections = readonly { readonly dim: DimFacts; readonly by: TypedSelection }[];

/**
 * Selects along dimensions by name, or by position for arrays whose dimensions have no unique names.
 * @throws SelectionError for a dimension that the slice has no more; errors from the selection
 */
export async function selectTyped(
  slice: TypedSlice,
  given: GivenSelections,
  context: GatewayContext,
): Promise<TypedSlice> {
  if (given.length === 0) return slice;
  const { model, axes } = slice;
  if (axes === undefined) {
    const named = namedSelections(given);
    return { ...slice, model: await inTypedWords(sliceOfSlice(model, { named }, context)) };
  }
  const byAxis = new Map(given.map(({ dim, by }) => [axisOf(axes, dim.name), genericSelection(by, 'none')]));
  const dims = axes.map((_, axis): DimSelection => byAxis.get(axis) ?? { slice: { step: 1 } });
  const left = axes.filter((_, axis) => byAxis.get(axis)?.index === undefined);
  return { ...slice, axes: left, model: await sliceOfSlice(model, { dims }, context) };
}

/** Names the arguments of generated fields in errors about selections. */
export async function inTypedWords<T>(selected: Promise<T>): Promise<T> {
  try {
    return await selected;
  } catch (error) {
    if (!(error instanceof SelectionError)) throw error;
    const detail = error.detail
      .replace('set method NEAREST to select', 'use "near" to select')
      .replace(/; for longitudes, set wrap: 360.*$/, '');
    throw detail === error.detail ? error : new SelectionError(detail, { cause: error, where: error.where });
  }
}

export function namedSelections(given: GivenSelections): { dim: string; by: DimSelection }[] {
  return given.map(({ dim, by }) => ({ dim: dim.name, by: genericSelection(by, dim.label) }));
}

/** Adds a step. @param left the axes of the result, for an array that is selected by position */
export async function stepTyped(
  slice: TypedSlice,
  step: SliceStep,
  context: GatewayContext,
  left: TypedSlice['axes'] = slice.axes,
): Promise<TypedSlice> {
  return { ...slice, axes: left, model: await sliceByInput(slice.model, step, context) };
}

/** The names by which operations know dimensions: their own, or positions as text. */
export function operationNames({ axes }: TypedSlice, names: readonly string[]): readonly string[] {
  return axes === undefined ? names : names.map((name) => String(axisOf(axes, name)));
}

/** The axes that remain after a reduction. @param over undefined for all */
export function axesAfterReduction(
  { axes }: TypedSlice,
  over: readonly string[] | undefined,
  q: readonly number[] | undefined,
): TypedSlice['axes'] {
  if (axes === undefined) return undefined;
  const left =
    over === undefined ? [] : axes.filter((axis) => axis === undefined || !over.includes(axis.name));
  return q === undefined ? left : [undefined, ...left];
}

function axisOf(axes: readonly (DimFacts | undefined)[], name: string): number {
  const axis = axes.findIndex((candidate) => candidate?.name === name);
  if (axis >= 0) return axis;
  const names = axes.flatMap((candidate) => candidate?.name ?? []);
  throw new SelectionError(
    `the slice has no dimension "${name}"; its dimensions are ${names.map((one) => `"${one}"`).join(', ') || 'none'}`,
  );
}

/** The dimension with dates, for operations on dates without `along`. @throws InputError unless there is exactly one */
export function onlyDates(dims: readonly DimFacts[]): string {
  const dates = dims.filter(({ label }) => label === 'date').map(({ name }) => name);
  const [only, ...others] = dates;
  if (only !== undefined && others.length === 0) return only;
  throw new InputError(
    dates.length === 0
      ? 'no dimension has dates; set "along"'
      : `several dimensions have dates (${dates.map((name) => `"${name}"`).join(', ')}); set "along" to one of them`,
  );
}

/**
 * The only value of a slice without dimensions.
 * @returns null for a missing value
 * @throws SelectionError if dimensions are left; UnsupportedError for a number that a Float cannot represent
 */
export async function onlyValue(
  { model }: TypedSlice,
  form: 'number' | 'text',
  context: GatewayContext,
): Promise<number | string | null> {
  const { shape, dims, where } = model.slice;
  if (shape.length > 0) {
    const names = dims.map(({ name }, axis) => `"${name ?? axis}"`).join(', ');
    throw new SelectionError(
      `"value" requires a slice without dimensions, but ${names} ${dims.length === 1 ? 'remains' : 'remain'}; select one position along each (at, near, index), reduce over them, or request "values"`,
      { where },
    );
  }
  const block = await model.read(context);
  const shown = new NDArrayValue(block, form === 'text' ? 'NULL' : 'STRING').toNested();
  if (form === 'text') return typeof shown === 'string' ? shown : null;
  if (typeof shown === 'number' || shown === null) return shown;
  if (typeof shown === 'boolean') return shown ? 1 : 0;
  if (shown === 'NaN') return null;
  const whole = typeof shown === 'string' && /^-?\d+$/.test(shown) ? Number(shown) : NaN;
  if (Number.isSafeInteger(whole)) return whole;
  throw new UnsupportedError(`the value ${JSON.stringify(shown)} is no exact Float; request "values"`, {
    where,
  });
}
