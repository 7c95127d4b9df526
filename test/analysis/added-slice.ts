/** A test slice with two inputs: the sum of two int16 slices of equal shape, and its operation. */
import { z } from 'zod';
import type { Operation } from '../../server/analysis/operations/operation.js';
import { operations } from '../../server/analysis/operations/table.js';
import { isVariable } from '../../server/dataset/variable.js';
import {
  type Block,
  costOfInputs,
  exceededLimits,
  type LazySlice,
  NotFoundError,
  type PlanCost,
  SelectionError,
  type SliceReadOptions,
  streamSlice,
  toTypedArray,
} from '../../server/zarr/index.js';

export function addedSlice(a: LazySlice, b: LazySlice): LazySlice {
  const inputs = [...a.inputs, ...b.inputs];
  const cost = (): PlanCost => {
    const { outputBytes, allocatedBytes } = a.cost();
    const intermediateBytes = allocatedBytes + b.cost().allocatedBytes;
    return costOfInputs(inputs, { outputBytes, allocatedBytes, intermediateBytes });
  };
  const slice: LazySlice = {
    where: a.where,
    inputs,
    origin: a.origin,
    dtype: a.dtype,
    dtypeName: a.dtypeName,
    shape: a.shape,
    dims: a.dims,
    takesOut: false,
    select: (selection) => addedSlice(a.select(selection), b.select(selection)),
    field() {
      throw new SelectionError('sums have no fields');
    },
    cost,
    exceeded: (limits) => exceededLimits(cost(), limits),
    async read({ readOnly: _, out, ...options }: SliceReadOptions = {}) {
      if (out !== undefined) throw new TypeError('sums do not support "out"');
      const [left, right] = await Promise.all([a.read(options), b.read(options)]);
      return sumOf(left, right);
    },
    stream: (options) => streamSlice(slice, options),
  };
  return slice;
}

function sumOf(a: Block, b: Block): Block {
  const [left, right] = [toTypedArray(a), toTypedArray(b)];
  if (!(left instanceof Int16Array) || !(right instanceof Int16Array))
    throw new TypeError('expected values of type int16');
  const sums = left.map((value, i) => value + (right[i] ?? 0));
  if (!('bytes' in a)) throw new TypeError('expected values of type int16');
  return { ...a, bytes: new Uint8Array(sums.buffer) };
}

/** Adds the variable of this name in the slice's dataset. It must have the shape of the slice. */
const add: Operation<{ readonly add: string }, string> = {
  form: z.string(),
  resolve: async (name) => ({ add: name }),
  async apply(slice, name, scope) {
    const variable = (await scope.dataset())?.variables.get(name);
    if (!isVariable(variable)) throw variable ?? new NotFoundError(`unknown variable "${name}"`);
    return addedSlice(slice, variable.stored);
  },
};

/** Registers the operation `add` in this process. */
export function useAddOperation(): void {
  Object.assign(operations, { add });
}
