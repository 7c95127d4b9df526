/** Interpolates linearly along sorted coordinates. */
import * as z from 'zod';
import { dateLabels, floatLabels, MadeLabels } from '../../dataset/grouping/made-labels.js';
import { labelsAlong, type LabelsAlong } from '../../dataset/labels/labels-along.js';
import {
  type Block,
  type DataType,
  guardSlice,
  InputError,
  type InterpolatedDim,
  interpolateSlice,
  inTurns,
  type KnownValues,
  type LazySlice,
  SelectionError,
} from '../../zarr/index.js';
import type { Operation, OperationScope } from './operation.js';
import { findNeighbours, targetKeys } from './neighbours.js';

export interface InterpolateAt {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Numbers, or dates as ISO text, possibly truncated. */
  readonly values: readonly unknown[];
  /** Lists with the same name are points: one dimension of this name replaces their dimensions. */
  readonly along?: string | undefined;
  /** The period after which labels repeat, such as 360 for longitudes. */
  readonly wrap?: number | undefined;
}

const MAX_VALUES = 2 ** 16;
/** Maximum number of axes. With two neighbours along each of four axes, a result depends on 16 values. */
const MAX_AXES = 4;

const targetForm: z.ZodType<InterpolateAt> = z.strictObject({
  dim: z.string(),
  values: z.array(z.union([z.number(), z.string()])).max(MAX_VALUES),
  along: z.string().exactOptional(),
  wrap: z.number().positive().exactOptional(),
});

export const interpolateOperation: Operation<
  { readonly interpolate: readonly InterpolateAt[] },
  readonly InterpolateAt[]
> = {
  form: z.array(targetForm).max(MAX_AXES),
  resolve: async (at) => ({ interpolate: at }),
  async apply(slice, at, scope) {
    assertTargets(at);
    const known: KnownValues[] = [];
    const listed = new Set<number>();
    const groups = new Map<string, { readonly target: InterpolateAt; readonly axis: number }[]>();
    for (const target of at) {
      const axis = axisOf(slice, target.dim);
      if (listed.has(axis))
        throw new InputError(`"at" lists "${slice.dims[axis]?.name ?? axis}" more than once`);
      listed.add(axis);
      const key = target.along === undefined ? `axis ${axis}` : `along ${target.along}`;
      groups.set(key, [...(groups.get(key) ?? []), { target, axis }]);
    }
    const dims: InterpolatedDim[] = [];
    for (const group of groups.values()) dims.push(await interpolatedDim(slice, group, scope, known));
    assertNames(slice, dims);
    return guardSlice(interpolateSlice(slice, dims), known);
  },
};

function assertTargets(at: readonly InterpolateAt[]): void {
  if (at.length === 0) throw new InputError('"at" must name at least one dimension');
  if (at.length > MAX_AXES)
    throw new InputError(`"at" names ${at.length} dimensions; at most ${MAX_AXES} are allowed`);
  const most = Math.max(...at.map(({ values }) => values.length));
  if (most > MAX_VALUES)
    throw new InputError(`"at" has ${most} values along one dimension; at most ${MAX_VALUES} are allowed`);
}

function axisOf({ dims }: LazySlice, dim: string): number {
  const named = dims.findIndex(({ name }) => name === dim);
  const axis = named >= 0 ? named : /^(0|[1-9]\d?)$/.test(dim) ? Number(dim) : NaN;
  if (axis < dims.length) return axis;
  const names = dims.map(({ name }, d) => `"${name ?? d}"`).join(', ');
  throw new SelectionError(`unknown dimension "${dim}"; the dimensions are ${names || 'none'}`);
}

async function interpolatedDim(
  slice: LazySlice,
  group: readonly { readonly target: InterpolateAt; readonly axis: number }[],
  scope: OperationScope,
  known: KnownValues[],
): Promise<InterpolatedDim> {
  const count = group[0]?.target.values.length ?? 0;
  const axes: InterpolatedDim['axes'][number][] = [];
  const coordinates: MadeLabels[] = [];
  for (const { target, axis } of group) {
    if (target.values.length !== count)
      throw new InputError(
        `the lists of points along "${target.along}" have ${count} and ${target.values.length} values; their lengths must be equal`,
      );
    const labels = await labelsAlong(slice, axis, undefined, scope, 'inAnyOrder');
    known.push(...labels.known);
    const keys = await inTurns(targetKeys(labels, target.values));
    axes.push(await inTurns(findNeighbours(labels, axis, keys, target.wrap)));
    coordinates.push(
      await labelsOf(group.length === 1 ? (target.along ?? labels.name) : labels.name, labels, keys),
    );
  }
  const [first] = group;
  const name = first?.target.along ?? slice.dims[first?.axis ?? 0]?.name ?? null;
  return { name, made: madeDim(name, coordinates), axes, count, dropped: false };
}

/** Creates the dimension of results. Several coordinates of one dimension belong to points. */
function madeDim(
  dimension: string | null,
  [labels, ...beside]: readonly MadeLabels[],
): InterpolatedDim['made'] {
  if (labels === undefined) return undefined;
  if (beside.length === 0) return { labels, chosen: undefined };
  return dimension === null ? undefined : { labels, chosen: undefined, points: { dimension, beside } };
}

/** The labels of the results. They have the kind, calendar, units and attributes of the coordinate. */
export async function labelsOf(
  name: string,
  along: LabelsAlong,
  keys: readonly (number | bigint)[],
): Promise<MadeLabels> {
  const { units, attributes, times, dtype } = along;
  const described = { units, attributes };
  if (times === undefined) return new MadeLabels(name, { ...described, stored: numberLabels(keys, dtype) });
  const labels = await inTurns(dateLabels(name, times, BigInt64Array.from(keys, BigInt), dtype));
  return new MadeLabels(name, { ...described, ...labels });
}

/** Targets between the numbers of a coordinate are floats; durations remain durations. */
function numberLabels(keys: readonly (number | bigint)[], dtype: DataType): Block {
  if (dtype.name !== 'numpy.timedelta64' || !keys.every(isWhole))
    return floatLabels(Float64Array.from(keys, Number));
  const counts = BigInt64Array.from(keys, BigInt);
  return { dtype, shape: [counts.length], bytes: new Uint8Array(counts.buffer) };
}

function isWhole(key: number | bigint): boolean {
  return typeof key === 'bigint' || Number.isSafeInteger(key);
}

function assertNames({ dims: before }: LazySlice, dims: readonly InterpolatedDim[]): void {
  const replaced = new Set(dims.flatMap(({ axes }) => axes.map(({ axis }) => axis)));
  const names = [
    ...before.flatMap(({ name }, d) => (replaced.has(d) ? [] : [name])),
    ...dims.map(({ name }) => name),
  ].filter((name) => name !== null);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new InputError(`the result would have two dimensions "${twice}"; choose another "along"`);
}
