/** Converts the input of `startJob` to a job. */
import type { JobPlace, JobSpec } from '../../jobs/job.js';
import { InputError, parseNodePath } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { DimSize, InputMaybe, SliceRequest, StartJobInput } from '../generated/types.js';
import { isGroupModel } from '../models.js';
import { isGiven, parseJsonInput, parseLength } from '../mutations/create-input.js';
import { requestedSlice } from '../slices/slice-model.js';
import { parsePlainJob } from './plain-job.js';

/**
 * @throws InputError for missing or invalid members; errors from opening the source, whose labels are looked up; NotFoundError
 * for a source that the caller may not read
 */
export async function parseJobInput(input: StartJobInput, context: GatewayContext): Promise<JobSpec> {
  const { kind, source, destination } = input;
  const writes = kind !== 'VERIFY' && kind !== 'STATISTICS';
  const reads = kind !== 'CONSOLIDATE';
  if (reads !== isGiven(source))
    throw new InputError(`a job of the kind ${kind} ${reads ? 'needs' : 'has no'} "source"`);
  if (writes !== isGiven(destination) && kind !== 'REDUCE')
    throw new InputError(`a job of the kind ${kind} ${writes ? 'needs' : 'has no'} "destination"`);
  const spec = {
    kind: kind.toLowerCase(),
    ...(isGiven(source) ? { source: await recipeOf(source, context) } : {}),
    ...(isGiven(destination)
      ? { destination: { store: destination.store, path: parseNodePath(destination.path) } }
      : {}),
    ...(writes && reads && isGiven(destination) ? { options: optionsOf(input) } : {}),
  };
  return parsePlainJob(spec);
}

/** A group is copied or verified as a whole; everything else is a slice. */
async function recipeOf(source: SliceRequest, context: GatewayContext): Promise<unknown> {
  const { store: name, path, select, decode, compute, steps } = source;
  if (steps.some(({ reduce }) => reduce?.mode === 'JOB'))
    throw new InputError('the steps of a job have no "mode": the job computes them');
  if (!isGiven(select) && !decode && !isGiven(compute) && steps.length === 0) {
    const store = await context.pinned(name);
    const node = await context.nodes.node(store, path);
    if (isGroupModel(node)) return { store: store.name, path: node.node.path, steps: [] };
  }
  return (await requestedSlice(source, context)).recipe;
}

function optionsOf(input: StartJobInput): Record<string, unknown> {
  const { format, chunks, shards, codecs, fillValue, overwrite, consolidate } = input;
  const { kind, convention, levels, dimensions, method } = input;
  return {
    ...(isGiven(format) ? { format } : {}),
    ...(isGiven(chunks) ? { chunks: lengthsOf(chunks, 'chunks') } : {}),
    ...(isGiven(shards) ? { shards: shards.length === 0 ? null : lengthsOf(shards, 'shards') } : {}),
    ...(isGiven(codecs) ? { codecs: parseJsonInput(codecs, 'codecs') } : {}),
    ...(isGiven(fillValue) ? { fillValue: parseJsonInput(fillValue, 'fillValue') } : {}),
    ...(isGiven(consolidate) ? { consolidate } : {}),
    overwrite,
    ...(kind === 'PYRAMID' ? { convention: convention.toLowerCase() } : {}),
    ...(isGiven(levels) ? { levels } : {}),
    ...(isGiven(dimensions) ? { dimensions } : {}),
    ...(isGiven(method) ? { method } : {}),
  };
}

/** @throws InputError for a dimension that is named twice */
function lengthsOf(sizes: InputMaybe<readonly DimSize[]>, name: string): Record<string, number> {
  const lengths = (sizes ?? []).map(({ dim, size }): [string, number] => [dim, parseLength(size, name)]);
  if (new Set(lengths.map(([dim]) => dim)).size < lengths.length)
    throw new InputError(`"${name}" names a dimension more than once`);
  return Object.fromEntries(lengths);
}

/** What a job reads and writes. */
export function placesOf(spec: JobSpec): { readonly source?: JobPlace; readonly destination?: JobPlace } {
  const source =
    'source' in spec ? { store: spec.source.store, path: parseNodePath(spec.source.path) } : undefined;
  const destination =
    'destination' in spec && spec.destination !== undefined
      ? { ...spec.destination, path: parseNodePath(spec.destination.path) }
      : undefined;
  return {
    ...(source === undefined ? {} : { source }),
    ...(destination === undefined ? {} : { destination }),
  };
}
