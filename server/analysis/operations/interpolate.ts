/** Interpolates along sorted coordinates, and along levels that vary from column to column. */
import * as z from 'zod';
import { defined } from '../../../wire/guards.js';
import { dateLabels, floatLabels, MadeLabels } from '../../dataset/grouping/made-labels.js';
import { labelsAlong, type LabelsAlong } from '../../dataset/labels/labels-along.js';
import { textAttribute } from '../../dataset/attributes.js';
import { isVariable } from '../../dataset/variable.js';
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
  toTypedArray,
} from '../../zarr/index.js';
import { computeVariables } from '../expression/computed-slice.js';
import { atPositionsOf, expressionScope, sliceDataset } from '../expression/conditions.js';
import { parseExpression } from '../expression/parse.js';
import { MAX_EXPRESSION_BYTES } from '../expression/tokens.js';
import { type FixedTargets, interpolateColumns, type Levels } from './columns.js';
import type { Operation, OperationScope } from './operation.js';
import { findNeighbours, targetKeys } from './neighbours.js';

export interface InterpolateAt {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Numbers, or dates as ISO text, possibly truncated. Undefined with `onto`. */
  readonly values?: readonly unknown[] | undefined;
  /** An expression with the values instead, such as the levels of another variable. */
  readonly onto?: string | undefined;
  /** An expression with the labels of the slice's values, which may vary along other dimensions. The index by default. */
  readonly coordinate?: string | undefined;
  readonly method?: InterpolateMethod | undefined;
  /** Lists with the same name are points: one dimension of this name replaces their dimensions. */
  readonly along?: string | undefined;
  /** The period after which labels repeat, such as 360 for longitudes. */
  readonly wrap?: number | undefined;
}

export type InterpolateMethod = 'LINEAR' | 'LOG';

const MAX_VALUES = 2 ** 16;
/** Maximum number of levels of a column. */
const MAX_LEVELS = 2 ** 12;
/** Maximum number of axes. With two neighbours along each of four axes, a result depends on 16 values. */
const MAX_AXES = 4;

const targetForm: z.ZodType<InterpolateAt> = z.strictObject({
  dim: z.string(),
  values: z
    .array(z.union([z.number(), z.string()]))
    .max(MAX_VALUES)
    .exactOptional(),
  onto: z.string().min(1).max(MAX_EXPRESSION_BYTES).exactOptional(),
  coordinate: z.string().min(1).max(MAX_EXPRESSION_BYTES).exactOptional(),
  method: z.enum(['LINEAR', 'LOG']).exactOptional(),
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
    const groups = new Map<string, TargetAlong[]>();
    for (const given of at) {
      const axis = axisOf(slice, given.dim);
      if (listed.has(axis))
        throw new InputError(`"at" lists "${slice.dims[axis]?.name ?? axis}" more than once`);
      listed.add(axis);
      const resolved = await resolveTarget(slice, axis, given, scope, known);
      if (!('values' in resolved)) {
        if (at.length > 1)
          throw new InputError(
            `the levels of "${given.dim}" vary from column to column; interpolate to them separately, before or after other dimensions`,
          );
        const result = await interpolateColumns(slice, axis, resolved.levels, resolved.onto, scope);
        assertUnique(result.dims.map(({ name }) => name));
        return guardSlice(result, known);
      }
      const target = resolved;
      const key = given.along === undefined ? `axis ${axis}` : `along ${given.along}`;
      groups.set(key, [...(groups.get(key) ?? []), target]);
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
  for (const { dim, values, onto, wrap, method, coordinate } of at) {
    if ((values === undefined) === (onto === undefined))
      throw new InputError(`"${dim}" requires either "values" or "onto"`);
    if (wrap !== undefined && (method === 'LOG' || coordinate !== undefined))
      throw new InputError('"wrap" is for the labels of a dimension, with the method LINEAR');
  }
  const most = Math.max(...at.map(({ values = [] }) => values.length));
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

/** A list of values along a dimension whose labels are one-dimensional. */
interface TargetAlong {
  readonly axis: number;
  readonly values: readonly unknown[];
  /** The coordinate with the labels; undefined for the index. */
  readonly coordinate: string | undefined;
  readonly isLog: boolean;
  readonly along: string | undefined;
  readonly wrap: number | undefined;
  /** The dimension of the variable whose values are the list. */
  readonly own: string | undefined;
}

/** Levels that vary from column to column, of the values or of the result. */
interface TargetColumns {
  readonly levels: Levels;
  readonly onto: FixedTargets | string;
}

async function resolveTarget(
  slice: LazySlice,
  axis: number,
  { dim, values, onto, coordinate, method, along, wrap }: InterpolateAt,
  scope: OperationScope,
  known: KnownValues[],
): Promise<TargetAlong | TargetColumns> {
  const isLog = method === 'LOG';
  const levels = { coordinate, isLog };
  const listed = onto === undefined ? { values: values ?? [], own: undefined } : await listedBy(slice, axis, onto, scope, known); // prettier-ignore
  if (listed === undefined) {
    if (along !== undefined) throw new InputError('"along" names the dimension of a list; the levels "onto" vary from column to column'); // prettier-ignore
    return { levels, onto: defined(onto) };
  }
  const name = await oneDimensional(slice, axis, coordinate, scope);
  if (coordinate === undefined || name !== undefined)
    return { axis, ...listed, coordinate: name, isLog, along, wrap };
  return { levels, onto: await fixedTargets(along ?? listed.own ?? dim, listed.values, levels, scope) };
}

/** The values of an expression as a list; undefined if they vary along other dimensions of the slice, or along none. */
async function listedBy(
  slice: LazySlice,
  axis: number,
  onto: string,
  scope: OperationScope,
  known: KnownValues[],
): Promise<{ readonly values: readonly number[]; readonly own: string } | undefined> {
  const targets = await computeVariables(onto, await sliceDataset(scope), expressionScope(scope));
  const { slice: levels } = defined(atPositionsOf(slice, [targets])[0]);
  const { dims, shape } = levels;
  const [first, ...others] = dims;
  const own = first?.name ?? undefined;
  const dim = slice.dims[axis]?.name;
  const isList =
    own !== undefined &&
    others.length === 0 &&
    !slice.dims.some(({ name }, d) => d !== axis && name === own);
  if (!isList) {
    if (dims.some(({ name }) => name === dim))
      throw new InputError(`the levels "${onto}" vary along "${dim ?? axis}", along which the values are interpolated`);
    return undefined;
  }
  const [size = 0] = shape;
  if (size > MAX_VALUES) throw new InputError(`"${onto}" has ${size} values; at most ${MAX_VALUES} are allowed`);
  const block = await scope.coordinates.read(levels);
  known.push({ slice: levels, block });
  const values = Array.from(toTypedArray(block), Number);
  if (!values.every(Number.isFinite)) throw new InputError(`a value of "${onto}" is missing or infinite`);
  return { values, own };
} // prettier-ignore

/** The name of a coordinate along the dimension alone; undefined for one that varies along others. */
async function oneDimensional(
  slice: LazySlice,
  axis: number,
  coordinate: string | undefined,
  scope: OperationScope,
): Promise<string | undefined> {
  if (coordinate === undefined) return undefined;
  const node = parseExpression(coordinate);
  if (node.kind !== 'name') return undefined;
  const variable = (await sliceDataset(scope)).variables.get(node.name);
  if (!isVariable(variable)) return undefined;
  const { dimensions } = variable;
  return dimensions.length === 1 && dimensions[0] === slice.dims[axis]?.name ? node.name : undefined;
}

async function fixedTargets(
  name: string,
  values: readonly unknown[],
  { coordinate, isLog }: Levels,
  scope: OperationScope,
): Promise<FixedTargets> {
  if (values.length > MAX_LEVELS)
    throw new InputError(`columns are interpolated to at most ${MAX_LEVELS} levels, not ${values.length}`);
  const targets = Float64Array.from(values, (value) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,400}$/.test(value));
    if (isNumber && Number.isFinite(Number(value))) return Number(value);
    throw new SelectionError(`interpolation along "${coordinate ?? ''}" requires numbers`);
  });
  if (isLog) assertPositive(targets);
  const node = coordinate === undefined ? undefined : parseExpression(coordinate);
  const variable = node?.kind === 'name' ? (await sliceDataset(scope)).variables.get(node.name) : undefined;
  const described = isVariable(variable)
    ? { units: textAttribute(variable.attributes, 'units'), attributes: variable.attributes }
    : {};
  return { targets, name, labels: new MadeLabels(name, { stored: floatLabels(targets), ...described }) };
}

function assertPositive(levels: ArrayLike<number>): void {
  if (!Array.from(levels).every((level) => level > 0))
    throw new InputError('the method LOG requires levels above 0');
}

async function interpolatedDim(
  slice: LazySlice,
  group: readonly TargetAlong[],
  scope: OperationScope,
  known: KnownValues[],
): Promise<InterpolatedDim> {
  const count = group[0]?.values.length ?? 0;
  const axes: InterpolatedDim['axes'][number][] = [];
  const coordinates: MadeLabels[] = [];
  for (const { axis, values, coordinate, isLog, along, wrap, own } of group) {
    if (values.length !== count)
      throw new InputError(
        `the lists of points along "${along}" have ${count} and ${values.length} values; their lengths must be equal`,
      );
    const labels = await labelsAlong(slice, axis, coordinate, scope, 'inAnyOrder');
    known.push(...labels.known);
    const keys = await inTurns(targetKeys(labels, values));
    axes.push(await inTurns(findNeighbours(labels, axis, keys, { wrap, isLog })));
    const index = coordinate === undefined ? labels.name : (slice.dims[axis]?.name ?? labels.name);
    coordinates.push(
      await labelsOf(group.length === 1 ? (along ?? own ?? index) : labels.name, labels, keys),
    );
  }
  const [first] = group;
  const name = first?.along ?? first?.own ?? slice.dims[first?.axis ?? 0]?.name ?? null;
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
  assertUnique([
    ...before.flatMap(({ name }, d) => (replaced.has(d) ? [] : [name])),
    ...dims.map(({ name }) => name),
  ]);
}

function assertUnique(all: readonly (string | null)[]): void {
  const names = all.filter((name) => name !== null);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new InputError(`the result would have two dimensions "${twice}"; choose another "along"`);
}
