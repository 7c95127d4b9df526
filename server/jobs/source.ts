/** Opens the sources of jobs: arrays, variables, expressions and the steps applied to them, or whole groups. */
import { textAttribute } from '../dataset/attributes.js';
import { computeVariables, type NamedResult } from '../analysis/expression/computed-slice.js';
import { applySteps, takeStep, withoutSteps } from '../analysis/operations/apply-steps.js';
import type { OperationScope } from '../analysis/operations/operation.js';
import type { GivenStep, SliceStep } from '../analysis/operations/table.js';
import { groupingsOf, type SliceRecipe } from '../analysis/recipe.js';
import { createCoordinateCache, createCoordinateReader } from '../dataset/coordinate-reader.js';
import { decodeSlice } from '../dataset/decoded-slice.js';
import { openInherited } from '../dataset/open-dataset.js';
import { type Dataset, isVariable, type Variable } from '../dataset/variable.js';
import {
  assertReadable,
  isZarrError,
  type JsonObject,
  type LazySlice,
  NotFoundError,
  UnsupportedError,
  type ZarrArray,
  type ZarrGroup,
} from '../zarr/index.js';
import type { JobStore } from './stores.js';

/** A slice to copy or to compute with. */
export interface SliceSource {
  readonly kind: 'slice';
  readonly slice: LazySlice;
  /** The array whose elements the values are, stored or decoded, so that its chunks fit the slice. */
  readonly array: ZarrArray | undefined;
  /** The array, if the slice is a part of it with stored values. */
  readonly stored: ZarrArray | undefined;
  /** The attributes that describe the values. */
  readonly attributes: JsonObject;
  readonly store: JobStore;
}

/** A slice with a reduction among its steps. */
export interface ReducedSource {
  /** The slice after all steps. */
  readonly source: SliceSource;
  /** The first slice that a fold computes from the chunks of one array; undefined if there is none. */
  readonly reduced: LazySlice | undefined;
  /** Applies the steps after it to its values. */
  finish(reduced: LazySlice): Promise<LazySlice>;
}

export interface GroupSource {
  readonly kind: 'group';
  readonly group: ZarrGroup;
  readonly store: JobStore;
}

/**
 * @throws NotFoundError; errors from opening the array or dataset, and from the steps; UnsupportedError for values that
 * cannot be decoded
 */
export async function openSource(
  store: JobStore,
  recipe: SliceRecipe,
  signal: AbortSignal | undefined,
): Promise<SliceSource | GroupSource> {
  const node = await nodeOf(store, recipe.path, signal);
  const isPlain = recipe.compute === undefined && recipe.decode === undefined && recipe.steps.length === 0;
  if (node.kind === 'group' && isPlain) return { kind: 'group', group: node, store };
  const whole = await openWhole(store, recipe, node, signal);
  const { slice } = await applySteps(
    withoutSteps(whole.slice),
    recipe.steps,
    scopeOf(whole, store, node, signal),
  );
  assertReadable(slice);
  const isPart = recipe.steps.every((step) => 'select' in step);
  return {
    kind: 'slice',
    slice,
    array: isPart ? whole.array : undefined,
    stored: isPart ? whole.stored : undefined,
    attributes: whole.attributes,
    store,
  };
}

/** @throws errors of `openSource` */
export async function openReduced(
  store: JobStore,
  recipe: SliceRecipe,
  signal: AbortSignal | undefined,
): Promise<ReducedSource> {
  const node = await nodeOf(store, recipe.path, signal);
  const whole = await openWhole(store, recipe, node, signal);
  const scope = scopeOf(whole, store, node, signal);
  let stepped = withoutSteps(whole.slice);
  let reduced: LazySlice | undefined;
  let later: readonly SliceStep[] = [];
  for (const [i, step] of recipe.steps.entries()) {
    stepped = await applySteps(stepped, [step], scope);
    const { reduction } = stepped.slice;
    if (reduced !== undefined || reduction?.input.planned === undefined) continue;
    reduced = stepped.slice;
    later = recipe.steps.slice(i + 1);
  }
  const { slice } = stepped;
  assertReadable(slice);
  const { attributes } = whole;
  return {
    source: { kind: 'slice', slice, array: undefined, stored: undefined, attributes, store },
    reduced,
    finish: async (values) => (await applySteps(withoutSteps(values), later, scope)).slice,
  };
}

/**
 * Converts the steps of a caller, which may name labels, to those of a job.
 * @throws errors from opening the source and from the steps
 */
export async function resolveSteps(
  store: JobStore,
  recipe: SliceRecipe,
  given: readonly GivenStep[],
  signal?: AbortSignal,
): Promise<readonly SliceStep[]> {
  if (given.length === 0) return [];
  const node = await nodeOf(store, recipe.path, signal);
  const whole = await openWhole(store, recipe, node, signal);
  const scope = scopeOf(whole, store, node, signal);
  let stepped = withoutSteps(whole.slice);
  for (const step of given) stepped = await takeStep(stepped, step, scope);
  return stepped.steps;
}

function scopeOf(
  { dataset }: Pick<Whole, 'dataset'>,
  store: JobStore,
  node: ZarrArray | ZarrGroup,
  signal: AbortSignal | undefined,
): OperationScope {
  const variable = node.kind === 'array' ? dataset?.variables.get(node.name) : undefined;
  return {
    units: async () => (isVariable(variable) ? textAttribute(variable.attributes, 'units') : undefined),
    dataset: async () => dataset ?? datasetAround(store, node, signal),
    coordinates: createCoordinateReader(createCoordinateCache(), (slice, options) =>
      slice.read({ ...options, signal }),
    ),
  };
}

interface Whole extends Pick<SliceSource, 'slice' | 'array' | 'stored' | 'attributes'> {
  readonly dataset: Dataset | undefined;
}

async function openWhole(
  store: JobStore,
  { store: storeName, compute, inputs = [], decode, path }: SliceRecipe,
  node: ZarrArray | ZarrGroup,
  signal: AbortSignal | undefined,
): Promise<Whole> {
  const where = { store: store.name, path };
  if (compute !== undefined) {
    if (node.kind !== 'group') throw new NotFoundError('an expression needs the path of a group', { where });
    const dataset = await openInherited(store.hierarchy, node, signal);
    const results: NamedResult[] = [];
    for (const { name, slice: recipe } of inputs) {
      if (recipe.store !== storeName)
        throw new UnsupportedError('jobs with results of several stores are not supported', { where });
      results.push({ name, ...(await openResult(store, recipe, signal)) });
    }
    const { coordinates } = scopeOf({ dataset }, store, node, signal);
    const decodingOf = async (variable: Variable) => variable.decoding();
    const { slice } = await computeVariables(compute, dataset, { decodingOf, coordinates, results });
    return { slice, array: undefined, stored: undefined, attributes: {}, dataset };
  }
  if (node.kind !== 'array') throw new NotFoundError('the node is a group, which has no values', { where });
  if (decode === undefined)
    return {
      slice: node.select(),
      array: node,
      stored: node,
      attributes: node.meta.attributes,
      dataset: undefined,
    };
  const dataset = await datasetAround(store, node, signal);
  const variable = dataset?.variables.get(node.name);
  if (!isVariable(variable))
    throw variable ?? new NotFoundError('the array is not a variable of a dataset', { where });
  const decoding = variable.decoding(decode);
  const slice = decodeSlice(variable.stored, decoding);
  return decoding.isIdentity
    ? { slice, array: node, stored: node, attributes: node.meta.attributes, dataset }
    : { slice, array: node, stored: undefined, attributes: variable.attributes, dataset };
}

/** A result that an expression names. */
async function openResult(
  store: JobStore,
  recipe: SliceRecipe,
  signal: AbortSignal | undefined,
): Promise<Omit<NamedResult, 'name'>> {
  const node = await nodeOf(store, recipe.path, signal);
  const whole = await openWhole(store, recipe, node, signal);
  const scope = scopeOf(whole, store, node, signal);
  const { slice } = await applySteps(withoutSteps(whole.slice), recipe.steps, scope);
  return { slice, scope, groupings: groupingsOf(recipe) };
}

async function nodeOf(
  { hierarchy, name }: JobStore,
  path: string,
  signal: AbortSignal | undefined,
): Promise<ZarrArray | ZarrGroup> {
  const node = await hierarchy.node(path, { signal });
  if (node !== undefined) return node;
  const note = await hierarchy.absenceNote(path, { signal });
  throw new NotFoundError(`no node at this path${note}`, { where: { store: name, path } });
}

/** The dataset of the group of an array; undefined without one. */
async function datasetAround(
  { hierarchy }: JobStore,
  { path }: ZarrArray | ZarrGroup,
  signal: AbortSignal | undefined,
): Promise<Dataset | undefined> {
  if (path === '/') return undefined;
  const group = await hierarchy.node(path.slice(0, path.lastIndexOf('/')) || '/', { signal });
  if (group?.kind !== 'group') return undefined;
  try {
    return await openInherited(hierarchy, group, signal);
  } catch (error) {
    // For example, because no array names its dimensions.
    if (isZarrError(error, 'INVALID_METADATA')) return undefined;
    throw error;
  }
}

/** Whether an array is a variable of a dataset, whose values are decoded by default. */
export async function isVariableSource(
  store: JobStore,
  { path }: Pick<SliceRecipe, 'path'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const node = await nodeOf(store, path, signal);
  if (node.kind !== 'array') return false;
  const dataset = await datasetAround(store, node, signal);
  return isVariable(dataset?.variables.get(node.name));
}

/** The dataset that an array belongs to; undefined without one. */
export async function datasetOf(
  store: JobStore,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Dataset | undefined> {
  return datasetAround(store, await nodeOf(store, path, signal), signal);
}
