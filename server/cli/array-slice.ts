/** The part of an array that a command reads, according to its options. */
import { convertedUnits } from '../analysis/operations/quantity.js';
import { textAttribute } from '../dataset/attributes.js';
import { computeVariables } from '../analysis/expression/computed-slice.js';
import { takeStep, withoutSteps } from '../analysis/operations/apply-steps.js';
import type { GroupRequest } from '../analysis/operations/group.js';
import type { ReduceArguments } from '../analysis/operations/reduce.js';
import type { GivenStep } from '../analysis/operations/table.js';
import { createCoordinateCache, createCoordinateReader } from '../dataset/coordinate-reader.js';
import { type Dataset, isVariable, type Variable } from '../dataset/variable.js';
import { decodeSlice } from '../dataset/decoded-slice.js';
import { calendarParts, calendarUnits, type GroupingRequest } from '../dataset/grouping/grouping.js';
import { selectionFromText, type SelectionOrLabels } from '../dataset/labels/label-selection.js';
import { openDataset } from '../dataset/open-dataset.js';
import {
  isZarrError,
  type LazySlice,
  NotFoundError,
  reductionNames,
  type ReduceRequest,
  type ZarrArray,
} from '../zarr/index.js';
import type { LocatedNode, ReadingOptions } from './locate-node.js';
import { UsageError } from './run-command.js';

export interface SliceOptions extends ReadingOptions {
  /** Selection as text; see wire/selection-text.ts. @default everything */
  readonly select?: string;
  /** A field of a struct; several names select a nested field. */
  readonly field?: readonly string[];
  /** Whether the array must be a variable, whose values are decoded by the CF conventions. @default false */
  readonly decode?: boolean;
  /** Whether stored values are read. @default false: values are decoded if the array is a variable */
  readonly raw?: boolean;
  /** An expression of variables. The address is then the address of their group. */
  readonly compute?: string;
  /** Grouping, applied before `reduce`: `month:time:mean`. */
  readonly group?: string;
  /** Reductions, applied in order: `mean:time,lat`; without dimensions, over all of them. */
  readonly reduce?: readonly string[];
  /** The options that are operations, in the order of the command line. */
  readonly order?: readonly OperationOption[];
}

export interface OperationOption {
  readonly name: 'select' | 'field' | 'group' | 'reduce' | 'step';
  readonly value: string;
}

/** Validates the options that can be checked without a store. @throws UsageError for an invalid option */
export function parseSliceOptions(options: SliceOptions): ParsedOptions {
  const { select, group, reduce = [], decode = false, raw = false, compute } = options;
  if (raw && (decode || compute !== undefined))
    throw new UsageError(`--raw and --${decode ? 'decode' : 'compute'} cannot be combined`);
  return {
    selection: parseText(select ?? ''),
    group: group === undefined ? undefined : parseGroup(group),
    reductions: reduce.map(parseReduction),
  };
}

/** The operations of a command, in the order of its options. @throws UsageError for an invalid option */
export async function parseOperations({ order = [] }: SliceOptions): Promise<GivenStep[]> {
  const steps: GivenStep[] = [];
  for (const { name, value } of order) {
    if (name === 'select') steps.push({ select: parseText(value) });
    else if (name === 'field') steps.push({ field: value });
    else if (name === 'group') steps.push({ group: parseGroup(value) });
    else if (name === 'reduce') steps.push({ reduce: argumentsOf(parseReduction(value)) });
    else {
      // Builds the schema, which other operations do not need.
      const { parseStep } = await import('./step-text.js');
      steps.push(parseStep(value));
    }
  }
  return steps;
}

/** The same request with its parameters in one member. */
export function argumentsOf({ q, ddof, ...reduce }: ReduceRequest): ReduceArguments {
  return {
    ...reduce,
    ...(q === undefined ? {} : { using: { q } }),
    ...(ddof === undefined ? {} : { using: { ddof } }),
  };
}

export interface ParsedOptions {
  readonly selection: SelectionOrLabels;
  readonly group: GroupRequest | undefined;
  readonly reductions: readonly ReduceRequest[];
}

/** A slice, and the dataset that it belongs to if it is decoded. */
export interface OpenedSlice {
  readonly slice: LazySlice;
  readonly dataset: Dataset | undefined;
  /** The units of the values, if the last steps convert them. */
  readonly units?: string | undefined;
}

/** @throws UsageError, NotFoundError, SelectionError, InputError, UnsupportedError; errors from opening the dataset */
export async function openSlice(
  located: LocatedNode,
  options: SliceOptions,
  steps: readonly GivenStep[],
): Promise<OpenedSlice> {
  const { slice, dataset } = await wholeOf(located, options);
  if (dataset === undefined && steps.some((step) => 'group' in step))
    throw new UsageError(
      '--group requires a variable of a dataset, without --raw, because it groups by dates',
    );
  const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate, options) =>
    coordinate.read(options),
  );
  const variable = options.compute === undefined ? dataset?.variables.get(located.node.name) : undefined;
  const scope = {
    dataset: async () => dataset ?? datasetAround(located),
    coordinates,
    units: async () => (isVariable(variable) ? textAttribute(variable.attributes, 'units') : undefined),
  };
  let stepped = withoutSteps(slice);
  for (const step of steps) stepped = await takeStep(stepped, step, scope);
  return { slice: stepped.slice, dataset, units: convertedUnits(stepped.steps) };
}

/** The slice that `openSlice` returns. */
export async function sliceOf(
  located: LocatedNode,
  options: SliceOptions,
  steps: readonly GivenStep[],
): Promise<LazySlice> {
  return (await openSlice(located, options, steps)).slice;
}

async function wholeOf(
  located: LocatedNode,
  { decode = false, raw = false, compute }: SliceOptions,
): Promise<OpenedSlice> {
  const { hierarchy, node } = located;
  if (compute !== undefined) {
    if (node.kind !== 'group')
      throw new UsageError('--compute requires the address of a group, whose arrays are the variables');
    const dataset = await openDataset(hierarchy, node, undefined, undefined);
    const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate, options) =>
      coordinate.read(options),
    );
    const scope = { decodingOf: async (variable: Variable) => variable.decoding(), coordinates };
    const { slice } = await computeVariables(compute, dataset, scope);
    return { slice, dataset };
  }
  const array = await arrayOf(located);
  const stored = { slice: array.select({ kind: 'all' }), dataset: undefined };
  if (raw) return stored;
  const dataset = await datasetAround(located);
  const variable = dataset?.variables.get(array.name);
  if (dataset !== undefined && isVariable(variable))
    return { slice: decodeSlice(variable.stored, variable.decoding()), dataset };
  if (!decode) return stored;
  const where = { store: hierarchy.store.label, path: array.path };
  if (variable instanceof Error) throw variable;
  throw new NotFoundError('the array is not a variable of a dataset; omit --decode', { where });
}

/** The dataset of the group of an array; undefined without one. */
async function datasetAround({ hierarchy, node }: LocatedNode): Promise<Dataset | undefined> {
  if (node.path === '/') return undefined;
  const group = await hierarchy.node(node.path.slice(0, node.path.lastIndexOf('/')) || '/');
  if (group?.kind !== 'group') return undefined;
  try {
    return await openDataset(hierarchy, group, undefined, undefined);
  } catch (error) {
    // For example, because no array names its dimensions.
    if (isZarrError(error, 'INVALID_METADATA')) return undefined;
    throw error;
  }
}

/** Whether the values of an array are decoded, as those of a variable of a dataset. */
export async function isVariableNode(located: LocatedNode): Promise<boolean> {
  const dataset = await datasetAround(located);
  return isVariable(dataset?.variables.get(located.node.name));
}

function parseReduction(text: string): ReduceRequest {
  const [name = '', dims, quantiles, ...rest] = text.split(':');
  const by = reductionNames.find((known) => known.toLowerCase() === name.toLowerCase());
  const q = quantiles?.split(',').map((one) => (one.trim() === '' ? NaN : Number(one)));
  const isQuantile = by === 'QUANTILE';
  if (by === undefined || isQuantile !== (q !== undefined) || rest.length > 0 || (dims === '' && !isQuantile))
    throw new UsageError(
      `--reduce ${JSON.stringify(text)} must be NAME, NAME:DIMENSION,... or quantile:DIMENSION,...:Q,...; ` +
        `the names are ${reductionNames.map((known) => known.toLowerCase()).join(', ')}`,
    );
  return {
    by,
    ...(dims === undefined || dims === '' ? {} : { over: dims.split(',') }),
    ...(q === undefined ? {} : { q }),
  };
}

function parseText(text: string): SelectionOrLabels {
  try {
    return selectionFromText(text);
  } catch (error) {
    if (isZarrError(error)) throw new UsageError(`--select: ${error.detail}`, { cause: error });
    throw error;
  }
}

const MAX_NAMED = 5;

/** @throws NotFoundError for a group, naming some of the arrays below it */
async function arrayOf({ hierarchy, node }: LocatedNode): Promise<ZarrArray> {
  if (node.kind === 'array') return node;
  const arrays: string[] = [];
  for await (const entry of hierarchy.walk(node.path, { recursive: true })) {
    if (entry.kind === 'array') arrays.push(entry.path);
    if (arrays.length >= MAX_NAMED) break;
  }
  throw new NotFoundError(
    `the node is a group, which has no values${arrays.length === 0 ? '' : `; arrays in it are ${arrays.map((path) => JSON.stringify(path)).join(', ')}`}`,
    { where: { store: hierarchy.store.label, path: node.path } },
  );
}

/** @throws UsageError for text of another form */
function parseGroup(text: string): GroupRequest {
  const [groups = '', dim = '', name = '', ...rest] = text.split(':');
  const by = groupingOf(groups.toUpperCase(), dim);
  const reduce = reductionNames.find((known) => known !== 'QUANTILE' && known === name.toUpperCase());
  if (by === undefined || reduce === undefined || dim === '' || rest.length > 0)
    throw new UsageError(
      `--group ${JSON.stringify(text)} must be GROUPS:DIMENSION:NAME, such as month:time:mean; ` +
        `the groups are ${calendarParts.map((part) => part.toLowerCase()).join(', ')}, ` +
        'or periods such as 1month or 10day',
    );
  return { by, reduce };
}

function groupingOf(groups: string, dim: string): GroupingRequest | undefined {
  const part = calendarParts.find((known) => known === groups);
  if (part !== undefined) return { part: { dim, part } };
  const [, every, name] = /^(\d{1,7})([A-Z]+)$/.exec(groups) ?? [];
  const unit = calendarUnits.find((known) => known === name);
  return unit === undefined ? undefined : { resample: { dim, every: Number(every), unit } };
}
