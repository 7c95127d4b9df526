/** The part of an array that a command reads, according to its options. */
import { computeVariables } from '../analysis/expression/computed-slice.js';
import { type GroupRequest, groupOperation } from '../analysis/operations/group.js';
import { quantileLabels } from '../analysis/operations/reduce.js';
import { createCoordinateCache, createCoordinateReader } from '../dataset/coordinate-reader.js';
import { type Dataset, isVariable } from '../dataset/variable.js';
import { decodeSlice } from '../dataset/decoded-slice.js';
import { calendarParts, calendarUnits, type GroupingRequest } from '../dataset/grouping/grouping.js';
import { openDataset } from '../dataset/open-dataset.js';
import {
  type Hierarchy,
  isZarrError,
  type LazySlice,
  NotFoundError,
  parseSelection,
  reduceSlice,
  reductionNames,
  type ReduceRequest,
  type Selection,
  type ZarrArray,
} from '../zarr/index.js';
import type { LocatedNode, ReadingOptions } from './locate-node.js';
import { UsageError } from './run-command.js';

export interface SliceOptions extends ReadingOptions {
  /** Selection in NumPy's basic indexing notation. @default everything */
  readonly select?: string;
  /** A field of a struct; several names select a nested field. */
  readonly field?: readonly string[];
  /** Whether values are decoded by the CF conventions, as variables of the dataset of the group. @default false */
  readonly decode?: boolean;
  /** An expression of variables. The address is then the address of their group. */
  readonly compute?: string;
  /** Grouping, applied before `reduce`: `month:time:mean`. */
  readonly group?: string;
  /** Reductions, applied in order: `mean:time,lat`; without dimensions, over all of them. */
  readonly reduce?: readonly string[];
}

/** Validates the options that can be checked without a store. @throws UsageError for an invalid option */
export function parseSliceOptions({ select, group, reduce = [] }: SliceOptions): ParsedOptions {
  return {
    selection: parseText(select ?? ''),
    group: group === undefined ? undefined : parseGroup(group),
    reductions: reduce.map(parseReduction),
  };
}

export interface ParsedOptions {
  readonly selection: Selection;
  readonly group: GroupRequest | undefined;
  readonly reductions: readonly ReduceRequest[];
}

/** A slice, and the dataset that it belongs to if it is decoded. */
export interface OpenedSlice {
  readonly slice: LazySlice;
  readonly dataset: Dataset | undefined;
}

/** @throws UsageError, NotFoundError, SelectionError, InputError, UnsupportedError; errors from opening the dataset */
export async function openSlice(
  located: LocatedNode,
  options: SliceOptions,
  { selection, group, reductions }: ParsedOptions,
): Promise<OpenedSlice> {
  const { field = [] } = options;
  const whole = await wholeOf(located, options);
  let slice = whole.slice.select(selection);
  for (const name of field) slice = slice.field(name);
  if (group !== undefined) slice = await groupBy(slice, whole.dataset, group);
  for (const request of reductions) slice = reduceSlice(slice, request, undefined, quantileLabels(request.q));
  return { slice, dataset: whole.dataset };
}

/** The slice that `openSlice` returns. */
export async function sliceOf(
  located: LocatedNode,
  options: SliceOptions,
  parsed: ParsedOptions,
): Promise<LazySlice> {
  return (await openSlice(located, options, parsed)).slice;
}

async function wholeOf(
  located: LocatedNode,
  { decode = false, compute }: SliceOptions,
): Promise<OpenedSlice> {
  const { hierarchy, node } = located;
  if (compute !== undefined) {
    if (node.kind !== 'group')
      throw new UsageError('--compute requires the address of a group, whose arrays are the variables');
    const dataset = await openDataset(hierarchy, node, undefined, undefined);
    const { slice } = await computeVariables(compute, dataset, async (variable) => variable.decoding());
    return { slice, dataset };
  }
  const array = await arrayOf(located);
  return decode
    ? decodedArray(hierarchy, array)
    : { slice: array.select({ kind: 'all' }), dataset: undefined };
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

function parseText(text: string): Selection {
  try {
    return parseSelection(text);
  } catch (error) {
    if (isZarrError(error)) throw new UsageError(`--select: ${error.detail}`, { cause: error });
    throw error;
  }
}

async function decodedArray(hierarchy: Hierarchy, array: ZarrArray): Promise<OpenedSlice> {
  const where = { store: hierarchy.store.label, path: array.path };
  const parent = array.path.slice(0, array.path.lastIndexOf('/')) || '/';
  const group = array.path === '/' ? undefined : await hierarchy.node(parent);
  if (group?.kind !== 'group')
    throw new NotFoundError('the array does not belong to a dataset; read it without --decode', { where });
  const dataset = await openDataset(hierarchy, group, undefined, undefined);
  const variable = dataset.variables.get(array.name);
  if (isVariable(variable)) return { slice: decodeSlice(variable.stored, variable.decoding()), dataset };
  throw variable ?? new NotFoundError('the array is not a variable; read it without --decode', { where });
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

// The option `--group`: values of each part of the calendar (such as a month) or period, reduced to one.

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

/** @throws UsageError without a dataset; errors from `group` */
async function groupBy(
  slice: LazySlice,
  dataset: Dataset | undefined,
  request: GroupRequest,
): Promise<LazySlice> {
  if (dataset === undefined)
    throw new UsageError('--group requires --decode or --compute, because it groups by dates');
  const coordinates = createCoordinateReader(createCoordinateCache(), (coordinate) => coordinate.read());
  return groupOperation.apply(slice, request, { dataset: async () => dataset, coordinates });
}
