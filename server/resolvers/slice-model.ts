/** A slice as resolvers pass it on: what was selected, and its values once somebody asks for them. */
import type { ArraySlice, Block } from '../zarr/index.js';
import type { GatewayContext } from './context.js';
import type { StoreModel } from './models.js';

export interface SliceModel {
  readonly store: StoreModel;
  readonly slice: ArraySlice;
  /** Charges the request and reads; once, however many fields ask. */
  read(context: GatewayContext): Promise<Block>;
}

export function createSliceModel(store: StoreModel, slice: ArraySlice): SliceModel {
  let reading: Promise<Block> | undefined;
  return {
    store,
    slice,
    read: (context) => (reading ??= context.budget.read(slice, context.signal)),
  };
}
