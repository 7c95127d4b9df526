/**
 * Mutations that write values. The cost of a write is charged to the request before anything is written, that
 * of an append afterwards, limited to the remaining budget.
 */
import { isStored, type Selection, writtenContents, type ZarrArray } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { AppendToArrayInput, WriteSliceInput } from '../generated/types.js';
import type { ArrayModel, WriteReportModel } from '../models.js';
import { sliceOfSlice, wholeArray } from '../slices/slice-model.js';
import { isGiven, parseLength } from './create-input.js';
import { changeOptionsOf, type MutationTarget } from './mutation-target.js';
import { blockOfInput } from './ndarray-argument.js';

export async function writeValues(
  { store, path }: MutationTarget,
  input: WriteSliceInput,
  context: GatewayContext,
): Promise<WriteReportModel> {
  const { limits } = context.gateway;
  const array = await context.nodes.array(store, path);
  const { slice: stored } = await sliceOfSlice(wholeArray(array), input.select, context);
  if (!isStored(stored)) throw new TypeError('the slice of an array must have stored values');
  const values = await blockOfInput(input.values, stored.dtype, stored.shape, limits);
  const contents = writtenContents(values, stored.shape);
  context.budget.chargeWrite(stored, contents);
  const { writeEmptyChunks } = input;
  const report = await context.budget.whileWriting(stored.cost(), contents, context.signal, () =>
    stored.write(values, { ...changeOptionsOf(input, context), limits, writeEmptyChunks }),
  );
  return { ...report, array };
}

export async function appendValues(
  { store, path }: MutationTarget,
  input: AppendToArrayInput,
  context: GatewayContext,
): Promise<ArrayModel> {
  const { node } = await context.nodes.array(store, path);
  const { dtype, shape } = node.meta;
  const values = await blockOfInput(input.values, dtype, shape, context.gateway.limits);
  const offset = isGiven(input.offset) ? parseLength(input.offset, 'offset') : undefined;
  const options = { ...changeOptionsOf(input, context), offset, limits: context.budget.left() };
  const whole = node.select({ kind: 'all' }).cost();
  const contents = writtenContents(values, values.shape);
  const { array, appended } = await context.budget.whileWriting(whole, contents, context.signal, () =>
    store.hierarchy.append(path, values, input.axis, options),
  );
  // The position is known only now, because other writers may append as well.
  context.budget.chargeWrite(array.select(appendedPart(array, appended)), contents);
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
