/** Ids of datasets, their variables and their dimensions: the group, the cuts that `select` made, and the name. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { dimForm } from '../../analysis/operations/select.js';
import { cutDataset, remaining, type CutDataset } from '../../dataset/cut-dataset.js';
import type { NamedDim } from '../../dataset/labels/label-selection.js';
import { dimSelectionOf, printAlong } from '../../dataset/positions.js';
import { isZarrError, NotFoundError, parseJsonText, type ResolvedDim } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { DatasetDimensionModel, DatasetModel } from '../models.js';
import { type GlobalId, printGlobalId } from '../nodes/global-id.js';

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

// Encodes the selections of a dataset for ids: the selected positions of each dimension with a selection.

const cutsForm = z.array(z.tuple([z.string(), dimForm]));

/** Prefix of a digest, which represents cuts that are too long for an id. */
const DIGEST = 'sha256-';

/** The forms of cuts, once they are known. */
interface CutTexts {
  exact?: string;
  digest?: string;
}

const texts = new WeakMap<CutDataset, CutTexts>();

function textsOf(cut: CutDataset): CutTexts {
  const known = texts.get(cut) ?? {};
  texts.set(cut, known);
  return known;
}

/**
 * Converts cuts to text. Equal cuts have equal texts; the text of no cuts is empty. Cuts of more than
 * `maxLength` characters become a digest, which is distinct but cannot be parsed by `parseCuts`.
 */
function printCuts(cut: CutDataset, maxLength: number): string {
  if (cut.cuts.size === 0) return '';
  // Each position has at least two characters.
  if (2 * listedPositions(cut) > maxLength) return digestOf(cut);
  const known = textsOf(cut);
  const text = (known.exact ??= printed(cut));
  return text.length > maxLength ? digestOf(cut) : text;
}

/**
 * @param charge called with an upper bound of the listed positions before they are parsed
 * @throws NotFoundError for text that `printCuts` did not write, and for a digest; errors from `charge`
 */
function parseCuts(text: string, charge: (positions: number) => void): NamedDim[] {
  if (text === '') return [];
  if (text.startsWith(DIGEST))
    throw new NotFoundError(
      'the selection lists too many positions to be encoded in an id; query the dataset by path and select again',
    );
  charge(1 + text.split(',').length);
  const parsed = cutsForm.safeParse(jsonOf(text));
  if (!parsed.success) throw unknownId(parsed.error);
  return parsed.data.map(([dim, by]) => ({ dim, by }));
}

function unknownId(cause?: unknown): NotFoundError {
  return new NotFoundError('the id was not issued by this gateway', { cause });
}

function jsonOf(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    throw unknownId(error);
  }
}

function listedPositions({ cuts }: CutDataset): number {
  let positions = 0;
  for (const along of cuts.values()) if (along.kind === 'list') positions += along.at.length;
  return positions;
}

function printed(cut: CutDataset): string {
  return `[${inOrder(cut)
    .map(([name, along]) => `[${JSON.stringify(name)},${printAlong(along)}]`)
    .join(',')}]`;
}

/** The cuts sorted by name, so that the id does not depend on the order of selections. */
function inOrder({ cuts }: CutDataset): [string, ResolvedDim][] {
  return [...cuts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function digestOf(cut: CutDataset): string {
  const known = textsOf(cut);
  if (known.digest !== undefined) return known.digest;
  const hash = createHash('sha256');
  for (const [name, along] of inOrder(cut)) {
    const listed = along.kind === 'list' ? along.at : undefined;
    hash.update(JSON.stringify([name, listed?.length ?? dimSelectionOf(along), along.wrap ?? null]));
    if (listed !== undefined) hash.update(listed);
  }
  return (known.digest = DIGEST + hash.digest('base64url'));
}
