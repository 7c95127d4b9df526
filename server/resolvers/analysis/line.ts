/** The fields `Slice.line` and `Line`, which share one computation. */
import { type Line, lineOf, type LineRequest } from '../../analysis/line.js';
import type { LineValues } from '../../analysis/line/read-lines.js';
import type { GatewayContext } from '../context.js';
import type { LineResolvers, SliceLineArgs } from '../generated/types.js';
import type { LineModel, SliceModel, TypedValuesModel } from '../models.js';
import { operationScope } from '../slices/slice-model.js';
import { resultKey, type ResultScope } from './results.js';

export async function lineOfSlice(
  model: SliceModel,
  { width, along, from, to, method }: SliceLineArgs,
  context: GatewayContext,
): Promise<LineModel> {
  const request: LineRequest = { width, along: along ?? undefined, from, to, method };
  const line = await lineOf(model.slice, request, operationScope(model, context));
  let reading: Promise<LineValues> | undefined;
  return { line, read: (scope) => (reading ??= readLine(model, line, request, scope)) };
}

function readLine(
  model: SliceModel,
  line: Line,
  { width, along, from, to, method }: LineRequest,
  { budget, signal, results }: ResultScope,
): Promise<LineValues> {
  const { inputs } = line;
  return budget.compute(line, signal, ({ limits }) =>
    results.lines.get(
      {
        key: resultKey(model, inputs, [width, along ?? null, from ?? null, to ?? null, method]),
        inputs,
        run: (stop, onVersion) => line.read({ signal: stop, limits, onVersion }),
      },
      signal,
    ),
  );
}

export const lineResolvers: LineResolvers = {
  estimate({ line }, _, { gateway }) {
    const exceeded = line.exceeded(gateway.limits);
    return { ...line.cost(), allowed: exceeded.length === 0, exceeded };
  },
  x: (model) => valuesOf(model, 'x'),
  y: (model) => valuesOf(model, 'y'),
};

function valuesOf(model: LineModel, axis: 'x' | 'y'): TypedValuesModel {
  const { line } = model;
  const { dtype, dtypeName: name } = line[axis];
  return { type: { dtype, name }, where: line.where, read: async (scope) => (await model.read(scope))[axis] };
}
