/** Makes slices: parts of arrays, and parts of those. */
import { selectionWithin } from '../dataset/cut-dataset.js';
import { isVariable } from '../dataset/dataset.js';
import { decodeSlice } from '../dataset/decoded-slice.js';
import type { LabelIndex } from '../dataset/labels/label-index.js';
import { resolveLabels } from '../dataset/labels/resolve-labels.js';
import { indexAlongSlice } from '../dataset/slice-coordinates.js';
import type { Variable } from '../dataset/variable.js';
import { atPlace, type Block, type LazySlice, NotFoundError } from '../zarr/index.js';
import type { GatewayContext } from './context.js';
import type { InputMaybe, Selection, VariableSliceArgs } from './generated/types.js';
import type { ArrayModel, SliceModel, StoreModel, VariableModel } from './models.js';
import { entriesIn, positionsOf } from './selection-entries.js';
import { parseSelectionInput } from './selection-input.js';
import { type RecipeDecoding, type SliceRecipe, type SliceStep, withStep } from './slice-recipe.js';

function createSliceModel(store: StoreModel, slice: LazySlice, recipe: SliceRecipe): SliceModel {
  let reading: Promise<Block> | undefined;
  return {
    store,
    slice,
    recipe,
    read: ({ budget, signal }) => (reading ??= budget.read(slice, signal)),
  };
}

/** A part of an array. @throws SelectionError */
export async function sliceOfArray(
  array: ArrayModel,
  select: InputMaybe<Selection>,
  context: GatewayContext,
): Promise<SliceModel> {
  return sliceOfSlice(wholeArray(array), select, context);
}

/** A part of a variable, within what is left of its dataset. @throws as above; MetadataError where it cannot be decoded */
export async function sliceOfVariable(
  { dataset, variable }: VariableModel,
  { select, decode, maskOutOfRange }: Pick<VariableSliceArgs, 'select' | 'decode' | 'maskOutOfRange'>,
  context: GatewayContext,
): Promise<SliceModel> {
  const { store, cut } = dataset;
  const whole = decode
    ? await wholeVariable(store, variable, { maskOutOfRange }, context)
    : sliceOfStored(store, variable);
  const within = selectionWithin(cut, variable);
  return sliceOfSlice(within === undefined ? whole : takeStep(whole, { select: within }), select, context);
}

/** A part of a part. @throws as above */
export async function sliceOfSlice(
  model: SliceModel,
  select: InputMaybe<Selection>,
  context: GatewayContext,
): Promise<SliceModel> {
  if (select === null || select === undefined) return model;
  return atSlice(model, async () => {
    const { dims, stored } = model.slice;
    context.budget.chargePositions(entriesIn(select) + positionsOf(stored.selection));
    const asked = parseSelectionInput(select);
    const found = await resolveLabels(asked, dims, async (d) => indexOfSlice(model, d, context));
    return takeStep(model, { select: found });
  });
}

/** The labels along a dimension of a slice. @throws SelectionError where there are none */
async function indexOfSlice(
  { store, slice }: SliceModel,
  d: number,
  { datasets }: GatewayContext,
): Promise<LabelIndex> {
  const around = await datasets.around(store, slice.stored.array.path);
  return indexAlongSlice(around?.cut.dataset, slice, d, datasets.coordinates.index);
}

/** @throws NotFoundError for an unknown field, SelectionError where there are none */
export async function fieldOfSlice(model: SliceModel, field: string): Promise<SliceModel> {
  return atSlice(model, async () => takeStep(model, { field }));
}

/**
 * The slice that a recipe describes, as the array is now.
 * @throws NotFoundError where the store or the array is gone (or hidden from this caller), SelectionError where a step
 *   does not fit the array any more
 */
export async function sliceFromRecipe(recipe: SliceRecipe, context: GatewayContext): Promise<SliceModel> {
  const store = context.store(recipe.store);
  const array = await context.nodes.array(store, recipe.path);
  const whole =
    recipe.decode === undefined
      ? wholeArray(array)
      : await wholeVariable(store, await variableAt(array, context), recipe.decode, context);
  return atSlice(whole, async () => recipe.steps.reduce(takeStep, whole));
}

function wholeArray({ store, node }: ArrayModel): SliceModel {
  const recipe = { store: store.name, path: node.path, steps: [] };
  return createSliceModel(store, node.select({ kind: 'all' }), recipe);
}

function sliceOfStored(store: StoreModel, { array, whole }: Variable): SliceModel {
  const model = wholeArray({ store, node: array });
  return whole.kind === 'all' ? model : takeStep(model, { select: whole });
}

async function wholeVariable(
  store: StoreModel,
  variable: Variable,
  decode: RecipeDecoding,
  { datasets }: GatewayContext,
): Promise<SliceModel> {
  const { path } = variable.array;
  const decoding = await datasets.coordinates.decoding(variable, decode);
  const slice = decodeSlice(variable.stored, decoding);
  return createSliceModel(store, slice, { store: store.name, path, decode, steps: [] });
}

/** @throws NotFoundError where the array is no variable any more */
async function variableAt({ store, node }: ArrayModel, { datasets }: GatewayContext): Promise<Variable> {
  const around = await datasets.around(store, node.path);
  const variable = around?.cut.dataset.variables.get(node.name);
  if (isVariable(variable)) return variable;
  throw (
    variable ??
    new NotFoundError('this array belongs to no dataset', { where: { store: store.name, path: node.path } })
  );
}

function takeStep({ store, slice, recipe }: SliceModel, step: SliceStep): SliceModel {
  const next = 'field' in step ? slice.field(step.field) : slice.select(step.select);
  return createSliceModel(store, next, withStep(recipe, step));
}

/** What it gives; what it throws names the array. */
async function atSlice<T>({ store, slice }: SliceModel, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw atPlace(error, { ...slice.where, store: store.name });
  }
}
