/** Creates slices: parts of arrays, and the results of steps. */
import { computeVariables } from '../../analysis/expression/computed-slice.js';
import type { OperationScope } from '../../analysis/operations/operation.js';
import { type DeclaredName, declaredOperations, type GivenStep } from '../../analysis/operations/table.js';
import {
  applySteps,
  type SteppedSlice,
  takeStep,
  withoutSteps,
} from '../../analysis/operations/apply-steps.js';
import {
  assertInputs,
  groupingsOf,
  MAX_INPUTS,
  type RecipeDecoding,
  type RecipeInput,
  recipeKey,
  type SliceRecipe,
} from '../../analysis/recipe.js';
import { textAttribute } from '../../dataset/attributes.js';
import { selectionWithin } from '../../dataset/cut-dataset.js';
import { decodeSlice } from '../../dataset/decoded-slice.js';
import { type Variable, isVariable } from '../../dataset/variable.js';
import { parseSliceText } from '../../../wire/selection-text.js';
import { writtenSelection } from '../../dataset/labels/label-selection.js';
import {
  type Block,
  InputError,
  inSelectionErrors,
  type JsonObject,
  NotFoundError,
  UnsupportedError,
  withContext,
} from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type {
  DatasetComputeArgs,
  ExpressionInput,
  InputMaybe,
  Selection,
  SliceRequest,
  SliceStep,
  VariableSliceArgs,
} from '../generated/types.js';
import type { ArrayModel, DatasetModel, SliceModel, StoreModel, VariableModel } from '../models.js';
import { sliceByJob } from '../jobs/slice-job.js';
import { givenStep } from './step-arguments.js';
import { readValues } from './read-values.js';
import { parseSelectionInput, entriesIn, listedCount } from './selection-input.js';

/** State shared by all slices that are derived from one slice. */
type SliceStart = Pick<SliceModel, 'store' | 'source' | 'decodedBy'> & Partial<Pick<SliceModel, 'job'>>;

function createSliceModel({ store, source, decodedBy, job }: SliceStart, stepped: SteppedSlice): SliceModel {
  let reading: Promise<Block> | undefined;
  const { slice, steps } = stepped;
  const model: SliceModel = {
    store,
    slice,
    source,
    decodedBy,
    stepped,
    job,
    get recipe() {
      // A link would compute the slice without the job.
      if (job !== undefined) throw new UnsupportedError('the values of a job have no links, pictures or further jobs; read "values" or "base64", or give the job a destination'); // prettier-ignore
      return { ...source, steps };
    },
    key: () => `${job === undefined ? '' : `job ${job.id} `}${recipeKey(source, stepped.canonical())}`,
    read: (scope) => (reading ??= readValues(model, scope)),
    forget() {
      reading = undefined;
    },
  };
  return model;
}

/**
 * Creates a slice of a variable, within the selections of its dataset.
 * @throws SelectionError for an invalid selection; MetadataError if the variable cannot be decoded
 */
export async function sliceOfVariable(
  { dataset, variable }: VariableModel,
  { select, decode, maskOutOfRange }: Pick<VariableSliceArgs, 'select' | 'decode' | 'maskOutOfRange'>,
  context: GatewayContext,
): Promise<SliceModel> {
  const { store, cut } = dataset;
  const whole = decode
    ? await wholeVariable(store, variable, { maskOutOfRange }, context)
    : await sliceOfStored(store, variable, context);
  const within = selectionWithin(cut, variable);
  const left = within === undefined ? whole : await sliceByStep(whole, { select: within }, context);
  return sliceOfSlice(left, select, context);
}

/**
 * Creates the slice of one entry in a list of slice requests.
 * @throws errors from opening the array or dataset, and from the steps
 */
export async function requestedSlice(request: SliceRequest, context: GatewayContext): Promise<SliceModel> {
  const whole = await requestedWhole(request, context);
  let model = await sliceOfSlice(whole, request.select, context);
  for (const step of request.steps) model = await sliceByInput(model, step, context);
  return model;
}

async function requestedWhole(
  { store, path, decode, compute }: SliceRequest,
  context: GatewayContext,
): Promise<SliceModel> {
  if (compute) {
    if (path !== '/')
      throw new InputError(
        `the request has both the path "${path}" of an array and "compute"; set "compute: {path, expression}" alone`,
        { where: { store } },
      );
    const dataset = await context.datasets.open(await context.pinned(store), compute.path);
    return wholeExpression(
      dataset,
      compute.expression,
      await openInputs(compute.inputs, dataset.store, context),
      context,
    );
  }
  const array = await context.nodes.array(await context.pinned(store), path);
  return decode
    ? wholeVariable(array.store, await variableAt(array, context), { maskOutOfRange: false }, context)
    : wholeArray(array);
}

/**
 * The slice that a path and a selection in one text denote, decoded if the array is a variable.
 * @throws SelectionError for invalid text; errors from opening the array or dataset
 */
export async function sliceOfText(
  store: StoreModel,
  text: string,
  context: GatewayContext,
): Promise<SliceModel> {
  const { path, selection } = inSelectionErrors(text, () => parseSliceText(text));
  const array = await context.nodes.array(store, path);
  const around = await context.datasets.around(store, array.node.path);
  const isStored = around?.cut.dataset.variables.get(array.node.name) === undefined;
  const whole = isStored
    ? wholeArray(array)
    : await wholeVariable(store, await variableAt(array, context), { maskOutOfRange: false }, context);
  try {
    context.budget.chargePositions(text.length);
    return await addStep(whole, { select: writtenSelection(selection) }, context);
  } catch (error) {
    throw atSlice(error, whole);
  }
}

/** Adds a step of the schema. @throws InputError for invalid arguments; errors from the operation */
export async function sliceByInput(
  model: SliceModel,
  step: SliceStep,
  context: GatewayContext,
): Promise<SliceModel> {
  if (step.select !== undefined) return sliceOfSlice(model, step.select, context);
  try {
    const next = await addStep(model, givenStep(step), context);
    if (step.reduce?.mode !== 'JOB' || context.budget.costOnly) return next;
    const { job, slice } = await sliceByJob(next, context);
    return createSliceModel({ ...next, job }, { ...next.stepped, slice });
  } catch (error) {
    throw atSlice(error, model);
  }
}

/** @throws InputError for an argument out of range; errors from the operation */
export async function sliceByDeclared(
  model: SliceModel,
  name: DeclaredName,
  args: object,
  context: GatewayContext,
): Promise<SliceModel> {
  try {
    return await addStep(model, declaredOperations[name].stepOf({ ...args }), context);
  } catch (error) {
    throw atSlice(error, model);
  }
}

/** Number of positions whose selection takes a noticeable part of a turn of the event loop. */
const MANY_POSITIONS = 4096;

/** Selects a part of a slice. @throws SelectionError for an invalid selection */
export async function sliceOfSlice(
  model: SliceModel,
  select: InputMaybe<Selection>,
  context: GatewayContext,
): Promise<SliceModel> {
  if (select === null || select === undefined) return model;
  try {
    const positions = entriesIn(select) + listedCount(model.slice.origin.selection);
    context.budget.chargePositions(positions);
    // Many fields may select long lists in one turn of the event loop.
    if (positions > MANY_POSITIONS) await context.pause();
    return await addStep(model, { select: parseSelectionInput(select) }, context);
  } catch (error) {
    throw atSlice(error, model);
  }
}

/** Adds a step to a slice. @throws InputError for too many steps; errors from the step */
export async function sliceByStep(
  model: SliceModel,
  step: GivenStep,
  context: GatewayContext,
): Promise<SliceModel> {
  try {
    return await addStep(model, step, context);
  } catch (error) {
    throw atSlice(error, model);
  }
}

async function addStep(model: SliceModel, step: GivenStep, context: GatewayContext): Promise<SliceModel> {
  return createSliceModel(model, await takeStep(model.stepped, step, operationScope(model, context)));
}

/**
 * Recreates the slice of a recipe from the current state of the array.
 * @throws NotFoundError if the store or the array does not exist (or is hidden from the caller);
 * SelectionError if a step no longer matches the array
 */
export async function sliceFromRecipe(recipe: SliceRecipe, context: GatewayContext): Promise<SliceModel> {
  const whole = await wholeOfRecipe(recipe, context);
  try {
    return createSliceModel(
      whole,
      await applySteps(whole.stepped, recipe.steps, operationScope(whole, context)),
    );
  } catch (error) {
    throw atSlice(error, whole);
  }
}

/** Opens the results that an expression names. @throws InputError for too many or repeated names; errors from opening */
async function openInputs(
  inputs: readonly ExpressionInput[],
  store: StoreModel,
  context: GatewayContext,
): Promise<OpenedInput[]> {
  // Checked before anything is opened.
  if (inputs.length > MAX_INPUTS)
    throw new InputError(`the expression has ${inputs.length} inputs; at most ${MAX_INPUTS} are allowed`);
  const opened: OpenedInput[] = [];
  for (const { name, slice } of inputs)
    opened.push({
      name,
      model: await requestedSlice({ ...slice, store: slice.store ?? store.name }, context),
    });
  return opened;
}

/** A result under a name of an expression. */
interface OpenedInput {
  readonly name: string;
  readonly model: SliceModel;
}

async function wholeOfRecipe(
  { store: name, path, decode, compute, inputs = [] }: SliceRecipe,
  context: GatewayContext,
): Promise<SliceModel> {
  const store = await context.pinned(name);
  if (compute !== undefined) {
    const opened: OpenedInput[] = [];
    for (const input of inputs)
      opened.push({ name: input.name, model: await sliceFromRecipe(input.slice, context) });
    return wholeExpression(await context.datasets.open(store, path), compute, opened, context);
  }
  const array = await context.nodes.array(store, path);
  return decode === undefined
    ? wholeArray(array)
    : wholeVariable(store, await variableAt(array, context), decode, context);
}

/** The resources available to operations on this slice. */
export function operationScope(model: SliceModel, context: GatewayContext): OperationScope {
  return {
    dataset: async () => (await datasetOfSlice(model, context))?.cut.dataset,
    get coordinates() {
      return context.datasets.coordinates;
    },
    units: async () => textAttribute((await attributesOfModel(model, context)) ?? {}, 'units'),
  };
}

/** The attributes of the variable whose decoded values a slice has before its steps; undefined for other slices. */
export async function attributesOfModel(
  { store, source }: Pick<SliceModel, 'store' | 'source'>,
  context: GatewayContext,
): Promise<JsonObject | undefined> {
  if (source.compute !== undefined || source.decode === undefined) return undefined;
  const dataset = (await datasetOfSlice({ store, source }, context))?.cut.dataset;
  const variable = dataset?.variables.get(source.path.split('/').at(-1) ?? '');
  return isVariable(variable) ? variable.attributes : undefined;
}

/** The dataset that describes a slice. @throws errors from opening it */
export async function datasetOfSlice(
  { store, source }: Pick<SliceModel, 'store' | 'source'>,
  { datasets }: GatewayContext,
): Promise<DatasetModel | undefined> {
  return source.compute === undefined
    ? datasets.around(store, source.path)
    : datasets.open(store, source.path);
}

/**
 * Creates a slice of the values of an expression, within the selections of its dataset.
 * @throws InputError for an invalid expression; errors from its variables
 */
export async function sliceOfExpression(
  dataset: DatasetModel,
  { expression, inputs = [] }: Pick<DatasetComputeArgs, 'expression'> & Partial<DatasetComputeArgs>,
  context: GatewayContext,
): Promise<SliceModel> {
  if (inputs.length > 0 && dataset.cut.cuts.size > 0)
    throw new InputError(
      '"inputs" cannot be combined with a selection of the dataset; select from the result instead',
    );
  const opened = await openInputs(inputs, dataset.store, context);
  const whole = await wholeExpression(dataset, expression, opened, context);
  const { dimensionNames } = whole.slice.origin;
  const dimensions = dimensionNames.flatMap((name) => name ?? []);
  const within = selectionWithin(dataset.cut, { dimensions });
  return within === undefined ? whole : sliceByStep(whole, { select: within }, context);
}

async function wholeExpression(
  { store, cut }: DatasetModel,
  expression: string,
  opened: readonly OpenedInput[],
  context: GatewayContext,
): Promise<SliceModel> {
  const { datasets, pause } = context;
  await pause();
  const { dataset } = cut;
  const { coordinates } = datasets;
  const inputs = opened.map(({ name, model }): RecipeInput => ({ name, slice: model.recipe }));
  assertInputs(inputs);
  const results = opened.map(({ name, model }) => {
    const { slice, recipe } = model;
    return { name, slice, scope: operationScope(model, context), groupings: groupingsOf(recipe) };
  });
  const scope = { decodingOf: (variable: Variable) => coordinates.decoding(variable), coordinates, results };
  const { slice, variables } = await computeVariables(expression, dataset, scope);
  const source = {
    store: store.name,
    path: dataset.group.path,
    compute: expression,
    ...(inputs.length === 0 ? {} : { inputs }),
  };
  const decodedBy = {
    variables: variables.map(({ name, context: own }) => [name, own.attributes]),
    ...(opened.length === 0
      ? {}
      : { inputs: opened.map(({ name, model }) => [name, model.decodedBy ?? null]) }),
  };
  return createSliceModel({ store, source, decodedBy }, withoutSteps(slice));
}

/** The slice of a whole array. */
export function wholeArray({ store, node }: ArrayModel): SliceModel {
  const whole = withoutSteps(node.select({ kind: 'all' }));
  const source = { store: store.name, path: node.path };
  return createSliceModel({ store, source, decodedBy: undefined }, whole);
}

async function sliceOfStored(
  store: StoreModel,
  { array, whole }: Variable,
  context: GatewayContext,
): Promise<SliceModel> {
  const model = wholeArray({ store, node: array });
  return whole.kind === 'all' ? model : sliceByStep(model, { select: whole }, context);
}

async function wholeVariable(
  store: StoreModel,
  variable: Variable,
  decode: RecipeDecoding,
  { datasets }: GatewayContext,
): Promise<SliceModel> {
  const decoding = await datasets.coordinates.decoding(variable, decode);
  const slice = decodeSlice(variable.stored, decoding);
  const source = { store: store.name, path: variable.array.path, decode };
  return createSliceModel({ store, source, decodedBy: variable.context.attributes }, withoutSteps(slice));
}

/**
 * @throws NotFoundError if the array does not belong to a dataset; the error of an array that is not a
 * variable
 */
async function variableAt({ store, node }: ArrayModel, { datasets }: GatewayContext): Promise<Variable> {
  const around = await datasets.around(store, node.path);
  const variable = around?.cut.dataset.variables.get(node.name);
  if (isVariable(variable)) return variable;
  throw (
    variable ??
    new NotFoundError('this array does not belong to a dataset', {
      where: { store: store.name, path: node.path },
    })
  );
}

/** Adds the array's location to an error. */
function atSlice(error: unknown, { store, slice }: SliceModel): unknown {
  return withContext(error, { ...slice.where, store: store.name });
}
