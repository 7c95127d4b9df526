/** Ids of datasets: their group, and the places that are left of each dimension that was cut. */
import { z } from 'zod';
import { cutDataset } from '../dataset/cut-dataset.js';
import { dimSelectionOf } from '../dataset/positions.js';
import { NotFoundError, parseJsonText } from '../zarr/index.js';
import type { GatewayContext } from './context.js';
import { type GlobalId, printGlobalId } from './global-id.js';
import type { DatasetModel } from './models.js';
import { dimForm } from './slice-recipe.js';

/** Between path and cuts. A path may hold it too, so that the last one counts. */
const SEPARATOR = '\n';

const cutsForm = z.array(z.tuple([z.string(), dimForm]));

export function printDatasetId({ store, cut }: DatasetModel): string {
  const { path } = cut.dataset.group;
  const cuts = Array.from(cut.cuts, ([name, along]) => [name, dimSelectionOf(along)]);
  const rest = SEPARATOR + (cuts.length === 0 ? '' : JSON.stringify(cuts));
  return printGlobalId({ kind: 'dataset', store: store.name, path: path + rest });
}

/** @throws NotFoundError for what was never given out, or does not fit any more; what opening throws */
export async function datasetById(id: GlobalId, context: GatewayContext): Promise<DatasetModel> {
  const at = id.path.lastIndexOf(SEPARATOR);
  const store = context.store(id.store);
  const whole = await context.datasets.open(store, at < 0 ? id.path : id.path.slice(0, at));
  const text = at < 0 ? '' : id.path.slice(at + 1);
  if (text === '') return whole;
  const parsed = cutsForm.safeParse(parseJsonText(text));
  if (!parsed.success) throw new NotFoundError('this id was not given out by this gateway');
  const named = parsed.data.map(([dim, by]) => ({ dim, by }));
  return { store, cut: await cutDataset(whole.cut, named, context.datasets.coordinates.index) };
}
