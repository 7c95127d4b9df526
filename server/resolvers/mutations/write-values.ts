/** Mutations that write values. Their cost is charged to the request before anything is written. */
import { isGiven, parseLength } from './create-input.js';
import {
  type ChangeOptions,
  isStored,
  type Selection,
  writtenContents,
  type ZarrArray,
} from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { AppendInput, WriteSliceInput } from '../generated/types.js';
import type { ArrayModel, WriteReportModel } from '../models.js';
import type { MutationTarget } from './mutation-target.js';
import { sliceOfArray } from '../slices/slice-model.js';
import { blockOfInput } from './values-input.js';

/** Options that every change of an existing node accepts. */
export function changeOptionsOf(
  input: { readonly ifVersion?: string | null | undefined },
  { signal }: GatewayContext,
): ChangeOptions {
  return { ifVersion: input.ifVersion ?? undefined, signal };
}

export async function writeValues(
  { store, path }: MutationTarget,
  input: WriteSliceInput,
  context: GatewayContext,
): Promise<WriteReportModel> {
  const { limits } = context.gateway;
  const array = await context.nodes.array(store, path);
  const { slice: stored } = await sliceOfArray(array, input.select, context);
  if (!isStored(stored)) throw new TypeError('the slice of an array must have stored values');
  const values = await blockOfInput(input.values, stored.dtype, stored.shape, limits);
  context.budget.chargeWrite(stored, writtenContents(values, stored.shape));
  const { writeEmptyChunks } = input;
  const report = await context.budget.whileWriting(stored.cost(), context.signal, () =>
    stored.write(values, { ...changeOptionsOf(input, context), limits, writeEmptyChunks }),
  );
  return { ...report, array };
}

export async function appendValues(
  { store, path }: MutationTarget,
  input: AppendInput,
  context: GatewayContext,
): Promise<ArrayModel> {
  const { node } = await context.nodes.array(store, path);
  const { dtype, shape } = node.meta;
  const values = await blockOfInput(input.values, dtype, shape, context.gateway.limits);
  const offset = isGiven(input.offset) ? parseLength(input.offset, 'offset') : undefined;
  const options = { ...changeOptionsOf(input, context), offset, limits: context.budget.left() };
  const whole = node.select({ kind: 'all' }).cost();
  const { array, appended } = await context.budget.whileWriting(whole, context.signal, () =>
    store.hierarchy.append(path, values, input.axis, options),
  );
  // The position is known only now, since other writers may append as well.
  context.budget.chargeWrite(
    array.select(appendedPart(array, appended)),
    writtenContents(values, values.shape),
  );
  return { store, node: array };
}

function appendedPart(
  { shape }: ZarrArray,
  { axis, start, stop }: { readonly axis: number; readonly start: number; readonly stop: number },
): Selection {
  return {
    kind: 'dims',
    dims: shape.map((_, d) => (d === axis ? { kind: 'slice', start, stop } : { kind: 'slice' })),
  };
}
