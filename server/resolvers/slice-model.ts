/** A slice as resolvers pass it on: what was selected, and its values once somebody asks for them. */
import { type ArraySlice, atPlace, type Block } from '../zarr/index.js';
import type { GatewayContext } from './context.js';
import type { InputMaybe, Selection } from './generated/types.js';
import type { ArrayModel, StoreModel } from './models.js';
import { parseSelectionInput } from './selection-input.js';

export interface SliceModel {
  readonly store: StoreModel;
  readonly slice: ArraySlice;
  /** Charges the request and reads; once, however many fields ask. */
  read(context: GatewayContext): Promise<Block>;
}

function createSliceModel(store: StoreModel, slice: ArraySlice): SliceModel {
  let reading: Promise<Block> | undefined;
  return {
    store,
    slice,
    read: (context) => (reading ??= context.budget.read(slice, context.signal)),
  };
}

/** A part of an array. @throws SelectionError, NotFoundError for an unknown dimension name */
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
