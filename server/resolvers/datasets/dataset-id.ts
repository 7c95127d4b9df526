/** Ids of datasets, their variables and their dimensions: the group, the cuts that `select` made, and the name. */
import { cutDataset, remaining } from '../../dataset/cut-dataset.js';
import { isZarrError, NotFoundError } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { DatasetDimensionModel, DatasetModel } from '../models.js';
import { type GlobalId, printGlobalId } from '../nodes/global-id.js';
import { parseCuts, printCuts, unknownId } from './dataset-cuts.js';

/**
 * Separates path, name and cuts. A path may contain this character, but the JSON text of the cuts cannot, so
 * ids are parsed from the end.
 */
const SEPARATOR = '\n';

/**
 * Maximum length of the cuts in an id, in characters. The limit is low because each listed variable has an id
 * with the same cuts.
 */
const maxCuts = { dataset: 2 ** 15, part: 2 ** 10 } as const;

export function printDatasetId({ store, cut }: DatasetModel): string {
  const rest = SEPARATOR + printCuts(cut, maxCuts.dataset);
  return printGlobalId({ kind: 'dataset', store: store.name, path: cut.dataset.group.path + rest });
}

/** The id of the named variable or dimension of the dataset. */
export function printPartId(
  kind: 'variable' | 'dimension',
  { store, cut }: DatasetModel,
  name: string,
): string {
  const rest = [cut.dataset.group.path, JSON.stringify(name), printCuts(cut, maxCuts.part)].join(SEPARATOR);
  return printGlobalId({ kind, store: store.name, path: rest });
}

/** @throws NotFoundError for an invalid or outdated id; errors from opening the dataset */
export async function datasetById({ store, path }: GlobalId, context: GatewayContext): Promise<DatasetModel> {
  const [group, cuts] = splitLast(path);
  return cutDatasetAt(store, group, cuts, context);
}

/** @throws errors from `datasetById` */
export async function partById(
  { store, path }: GlobalId,
  context: GatewayContext,
): Promise<{ readonly dataset: DatasetModel; readonly name: string }> {
  const [before, cuts] = splitLast(path);
  const [group, quoted] = splitLast(before);
  return { name: nameOf(quoted), dataset: await cutDatasetAt(store, group, cuts, context) };
}

/** @throws NotFoundError for an unknown dimension */
export function dimensionOf(dataset: DatasetModel, name: string): DatasetDimensionModel {
  const size = remaining(dataset.cut).get(name);
  if (size !== undefined) return { dataset, name, size };
  const where = { store: dataset.store.name, path: dataset.cut.dataset.group.path };
  throw new NotFoundError(`unknown dimension "${name.slice(0, 100)}" in this dataset`, { where });
}

async function cutDatasetAt(
  storeName: string,
  group: string,
  cuts: string,
  context: GatewayContext,
): Promise<DatasetModel> {
  const store = await context.pinned(storeName);
  const whole = await context.datasets.open(store, group);
  // Charged per variable, because each variable applies the lists to its dimensions.
  const times = 1 + whole.cut.dataset.variables.size;
  const named = parseCuts(cuts, (positions) => context.budget.chargePositions(positions * times));
  if (named.length === 0) return whole;
  try {
    return { store, cut: await cutDataset(whole.cut, named, context.datasets.coordinates) };
  } catch (error) {
    if (!isZarrError(error, 'BAD_SELECTION')) throw error;
    throw new NotFoundError(
      'the selection encoded in the id no longer fits the dataset; query the dataset by path and select again',
      {
        cause: error,
      },
    );
  }
}

function splitLast(text: string): [string, string] {
  const at = text.lastIndexOf(SEPARATOR);
  if (at < 0) throw unknownId();
  return [text.slice(0, at), text.slice(at + 1)];
}

function nameOf(quoted: string): string {
  try {
    const name: unknown = JSON.parse(quoted);
    if (typeof name === 'string') return name;
  } catch (error) {
    throw unknownId(error);
  }
  throw unknownId();
}
