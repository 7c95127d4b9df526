/** Makes slices: parts of arrays, and parts of those. */
import { type ArraySlice, atPlace, type Block } from '../zarr/index.js';
import type { InputMaybe, Selection } from './generated/types.js';
import type { ArrayModel, SliceModel, StoreModel } from './models.js';
import { parseSelectionInput } from './selection-input.js';

function createSliceModel(store: StoreModel, slice: ArraySlice): SliceModel {
  let reading: Promise<Block> | undefined;
  return {
    store,
    slice,
    read: ({ budget, signal }) => (reading ??= budget.read(slice, signal)),
  };
}

/** A part of an array. @throws SelectionError */
export function sliceOfArray({ store, node }: ArrayModel, select: InputMaybe<Selection>): SliceModel {
  return selectAt(store, node.path, () => node.select(parseSelectionInput(select)));
}

/** A part of a part. @throws as above */
export function sliceOfSlice({ store, slice }: SliceModel, select: InputMaybe<Selection>): SliceModel {
  return selectAt(store, slice.array.path, () => slice.select(parseSelectionInput(select)));
}

/** @throws NotFoundError for an unknown field, SelectionError where there are none */
export function fieldOfSlice({ store, slice }: SliceModel, name: string): SliceModel {
  return selectAt(store, slice.array.path, () => slice.field(name));
}

function selectAt(store: StoreModel, path: string, select: () => ArraySlice): SliceModel {
  try {
    return createSliceModel(store, select());
  } catch (error) {
    throw atPlace(error, { store: store.name, path });
  }
}
