/** Reads the values that a recipe describes, using the SDK. */
import { lazySlice, type LazySlice } from 'zarrql-client/analysis';
import { client } from '../gateway/client.js';
import { estimateDocument } from '../gateway/documents.js';
import { nameOf, operationsOf, parentOf, type Recipe, requestOf, selectionOf } from './recipe.js';

export function lazyOf(recipe: Recipe): LazySlice {
  const store = client.store(recipe.store);
  const selection = selectionOf(recipe);
  let lazy: LazySlice = recipe.decode
    ? lazySlice(store.dataset(parentOf(recipe.path)).variable(nameOf(recipe.path)), selection)
    : lazySlice(store.array(recipe.path), selection);
  if (recipe.field !== undefined) lazy = lazy.field(recipe.field);
  for (const step of operationsOf(recipe)) {
    if ('reduce' in step) lazy = lazy.reduce(step.reduce.by, { over: step.reduce.over });
    else {
      const { to, method } = step.coarsen;
      const sizes = Object.fromEntries(to.map(({ dim, size }) => [dim, size]));
      lazy = lazy.coarsen(sizes, method === undefined ? {} : { method });
    }
  }
  return lazy;
}

export interface Cost {
  readonly shape: readonly number[];
  readonly chunks: number;
  /** Decoded bytes of all chunks read. */
  readonly bytes: number;
  readonly outputBytes: number | undefined;
  readonly isAllowed: boolean;
  readonly exceeded: readonly string[];
}

/** The cost of a read. Reads no chunks. */
export async function costOf(recipe: Recipe, signal: AbortSignal): Promise<Cost> {
  const { slices } = await client.request(estimateDocument, { requests: [requestOf(recipe)] }, { signal });
  const estimate = slices[0]?.estimate;
  if (estimate === undefined || estimate === null) throw new Error('the gateway returned no estimate');
  return {
    shape: (slices[0]?.shape ?? []).map(Number),
    chunks: Number(estimate.chunks),
    bytes: Number(estimate.decodedBytes) + Number(estimate.reducedBytes),
    outputBytes: estimate.outputBytes === null ? undefined : Number(estimate.outputBytes),
    isAllowed: estimate.allowed,
    exceeded: estimate.exceeded.map(
      ({ limit, allowed, needed }) => `${limit}: ${String(needed)} of ${String(allowed)}`,
    ),
  };
}
