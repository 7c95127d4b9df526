import { cutAlike, cutDataset, remaining } from '../../dataset/cut-dataset.js';
import { indexOf, isVariable } from '../../dataset/variable.js';
import { withContext, InputError, nearest, nextTurn, NotFoundError } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type {
  DatasetChildrenArgs,
  DatasetConnectionResolvers,
  DatasetDimensionResolvers,
  DatasetEdgeResolvers,
  DatasetResolvers,
} from '../generated/types.js';
import { printDatasetId, printPartId } from './dataset-id.js';
import type { DatasetConnectionModel, DatasetModel, VariableModel } from '../models.js';
import { didYouMean } from '../nodes/did-you-mean.js';
import { isGiven } from '../mutations/create-input.js';
import { checkCount, pageInfoOf, parseCursor, printCursor } from '../nodes/paging.js';
import { sliceOfExpression, sliceOfVariable } from '../slices/slice-model.js';
import type { NamedModel } from '../links/labelled-set.js';
import { hrefOfSet } from '../links/set-href.js';
import { isSetFormat } from '../../transport/sets/set-forms.js';
import { zarrUrlOfSlices } from '../links/zarr-url.js';
import { parseNamedDims, entriesInNamed } from '../slices/selection-input.js';

/** Maximum length of an id that is not charged separately. */
const FREE_ID_LENGTH = 1024;

export const datasetResolvers: DatasetResolvers = {
  id: (dataset, _, context) => chargedId(printDatasetId(dataset), context),
  path: ({ cut }) => cut.dataset.group.path,
  group: ({ store, cut }) => ({ store, node: cut.dataset.group }),
  attributes: ({ cut }) => cut.dataset.attributes,
  dimensions: (dataset) => Array.from(remaining(dataset.cut), ([name, size]) => ({ dataset, name, size })),
  variables(dataset, { kind, names }, { gateway, budget }) {
    if (names !== null && names !== undefined) checkCount('names', names.length, gateway.limits);
    const shown = variableNames(dataset, kind, names);
    budget.chargeListedNodes(shown.length);
    // GraphQL starts all fields of a variable at once, which takes milliseconds for hundreds of fields.
    const inTurns = budget.spent().fields > FIELDS_AT_ONCE;
    return shown.map(async (name) => {
      if (inTurns) await nextTurn();
      return variableOf(dataset, name);
    });
  },
  variable: (dataset, { name }) => variableOf(dataset, name),
  select: (dataset, { named }, context) => selectDataset(dataset, named, context),
  compute: (dataset, args, context) => sliceOfExpression(dataset, args, context),
  async href(dataset, { format, variables, rows }, context) {
    if (!isSetFormat(format))
      throw new InputError(
        `the format ${format} has one variable; request ARROW, PARQUET or NETCDF, or Slice.href`,
      );
    return hrefOfSet(await slicesOf(dataset, variables, context), format, { rows }, context);
  },
  async zarrUrl(dataset, { variables, expires }, context) {
    return zarrUrlOfSlices(await slicesOf(dataset, variables, context), { expires }, context);
  },
  children: (dataset, args, context) => childrenOf(dataset, args, context),
};

/** The slices of variables. @throws errors of a variable that cannot be read */
async function slicesOf(
  dataset: DatasetModel,
  names: readonly string[] | null | undefined,
  context: GatewayContext,
): Promise<readonly NamedModel[]> {
  const shown = variableNames(dataset, names ? null : 'DATA', names);
  checkCount('variables', shown.length, context.gateway.limits);
  context.budget.chargeListedNodes(shown.length);
  if (shown.length === 0)
    throw new InputError('the dataset has no data variables', { where: { store: dataset.store.name } });
  const options = { select: null, decode: true, maskOutOfRange: false };
  return Promise.all(
    shown.map(async (name) => {
      await context.pause();
      return { name, model: await sliceOfVariable(variableOf(dataset, name), options, context) };
    }),
  );
}

/**
 * Number of fields of a request above which variables start in separate turns of the event loop. With fewer, their reads
 * start together and are coalesced.
 */
const FIELDS_AT_ONCE = 128;

export const datasetConnectionResolvers: DatasetConnectionResolvers = {
  edges: ({ entries }) => entries,
  nodes: ({ entries }) => entries.map((entry) => entry.open()),
  pageInfo: pageInfoOf,
};

export const datasetEdgeResolvers: DatasetEdgeResolvers = { node: (entry) => entry.open() };

export const datasetDimensionResolvers: DatasetDimensionResolvers = {
  id: ({ dataset, name }) => printPartId('dimension', dataset, name),
  coordinate({ dataset, name }) {
    const variable = indexOf(dataset.cut.dataset, name);
    return variable === undefined ? null : { dataset, variable };
  },
};

/**
 * Charges the id, because the id of a dataset with selections can be long, and a document can request it
 * under many aliases.
 * @throws LimitError if the limit of the request is exceeded
 */
function chargedId(id: string, { budget, signal }: GatewayContext): string | Promise<string> {
  const granted = id.length > FREE_ID_LENGTH ? budget.chargeJson(id.length, signal) : undefined;
  return granted === undefined ? id : granted.then(() => id);
}

/**
 * The names of variables of a kind. A variable with an error matches every kind, because its kind is unknown.
 */
function variableNames(
  { cut }: DatasetModel,
  kind: VariableModel['variable']['kind'] | null | undefined,
  names: readonly string[] | null | undefined,
): readonly string[] {
  const { variables } = cut.dataset;
  const isKind = (name: string): boolean => {
    const entry = variables.get(name);
    return typeof kind !== 'string' || !isVariable(entry) || entry.kind === kind;
  };
  return (names ?? [...variables.keys()]).filter(isKind);
}

/** @throws NotFoundError with the nearest names; the error of an array that is not a variable */
export function variableOf(dataset: DatasetModel, name: string): VariableModel {
  const { group, variables } = dataset.cut.dataset;
  const entry = variables.get(name);
  if (isVariable(entry)) return { dataset, variable: entry };
  const where = { store: dataset.store.name, path: group.path };
  if (entry !== undefined) throw withContext(entry, where);
  const near = didYouMean(nearest(name, variables.keys()));
  throw new NotFoundError(`unknown variable "${name.slice(0, 100)}" in this dataset${near}`, { where });
}

/** The part of a dataset within selections. @throws errors from the selection */
export async function selectDataset(
  { store, cut }: DatasetModel,
  named: Parameters<typeof parseNamedDims>[0],
  { datasets, budget }: GatewayContext,
): Promise<DatasetModel> {
  try {
    // Charged per variable, because each variable applies the lists to its dimensions.
    budget.chargePositions(entriesInNamed(named) * (1 + cut.dataset.variables.size));
    return { store, cut: await cutDataset(cut, parseNamedDims(named), datasets.coordinates) };
  } catch (error) {
    throw withContext(error, { store: store.name, path: cut.dataset.group.path });
  }
}

/** @throws InputError or LimitError for invalid arguments */
function childrenOf(
  dataset: DatasetModel,
  { first, after }: DatasetChildrenArgs,
  context: GatewayContext,
): DatasetConnectionModel {
  checkCount('first', first, context.gateway.limits);
  const { groups } = dataset.cut.dataset;
  const start = isGiven(after) ? indexAfter(groups, parseCursor(after)) : 0;
  const entries = groups.slice(start, start + first).map((path) => {
    let opening: Promise<DatasetModel> | undefined;
    return { cursor: printCursor(path), open: () => (opening ??= childOf(dataset, path, context)) };
  });
  return {
    entries,
    hasNextPage: start + entries.length < groups.length,
    hasPreviousPage: isGiven(after),
    totalCount: groups.length,
  };
}

/** @throws InputError if there is no such group */
function indexAfter(groups: readonly string[], path: string): number {
  const index = groups.indexOf(path);
  if (index >= 0) return index + 1;
  throw new InputError(
    `"after" is the cursor of "${path.slice(0, 100)}", which is not a child of this dataset`,
  );
}

async function childOf(
  { store, cut }: DatasetModel,
  path: string,
  { datasets }: GatewayContext,
): Promise<DatasetModel> {
  const child = await datasets.open(store, path);
  try {
    return { store, cut: await cutAlike(child.cut, cut.steps, datasets.coordinates) };
  } catch (error) {
    throw withContext(error, { store: store.name, path });
  }
}
