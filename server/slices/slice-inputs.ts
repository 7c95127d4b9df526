/** Properties of a slice that depend on all of its inputs. */
import { withContext } from '../core/errors.js';
import type { LazySlice, SliceFoldOptions } from './lazy-slice.js';
import { objectName, type ReadObject } from './one-state.js';
import type { CallOptions } from '../chunks/node-context.js';
import type { ObjectVersions } from '../chunks/read/object-versions.js';
import type { PlanCost } from '../format/plan/cost.js';

/** @throws UnsupportedError if the data type or a codec of any input is not supported */
export function assertReadable({ inputs }: LazySlice): void {
  for (const { array, where } of inputs)
    try {
      array.source();
    } catch (error) {
      throw withContext(error, where);
    }
}

/** The cost that a computed slice adds to the cost of its inputs. */
export type ComputedCost = Pick<PlanCost, 'outputBytes' | 'allocatedBytes' | 'intermediateBytes'>;

/** The cost of reading each input once. @param own cost of the result */
export function costOfInputs(inputs: readonly Pick<LazySlice, 'cost'>[], own: ComputedCost): PlanCost {
  const costs = inputs.map((input) => input.cost());
  const sum = (of: (cost: PlanCost) => number): number => costs.reduce((total, cost) => total + of(cost), 0);
  const most = (of: (cost: PlanCost) => number): number => Math.max(0, ...costs.map(of));
  return {
    chunks: sum(({ chunks }) => chunks),
    requests: sum(({ requests }) => requests),
    decodedBytes: sum(({ decodedBytes }) => decodedBytes),
    reducedBytes: sum(({ reducedBytes }) => reducedBytes),
    work: sum(({ work }) => work),
    indexBytes: sum(({ indexBytes }) => indexBytes),
    chunkBytes: most(({ chunkBytes }) => chunkBytes),
    stepBytes: most(({ stepBytes }) => stepBytes),
    ...own,
  };
}

/**
 * The cost of reading a slice together with other data.
 * @param beside cost of the other data
 * @param heldBytes memory, in bytes, of the values computed from the other data
 */
export function costBeside(cost: PlanCost, beside: PlanCost, heldBytes: number): PlanCost {
  return {
    ...cost,
    chunks: cost.chunks + beside.chunks,
    requests: cost.requests + beside.requests,
    decodedBytes: cost.decodedBytes + beside.decodedBytes,
    reducedBytes: cost.reducedBytes + beside.reducedBytes,
    work: cost.work + beside.work,
    indexBytes: cost.indexBytes + beside.indexBytes,
    chunkBytes: Math.max(cost.chunkBytes, beside.chunkBytes),
    stepBytes: Math.max(cost.stepBytes, beside.stepBytes),
    intermediateBytes: cost.intermediateBytes + beside.intermediateBytes + beside.allocatedBytes + heldBytes,
  };
}

/**
 * The versions of the stored objects of all inputs, by `objectName`. Undefined if those of any input are unknown.
 * If an object changed between two inputs, returns the last version; reading the other input detects the
 * difference.
 * @param options.expected known versions, which are only revalidated
 * @throws errors from `ArraySlice.objectVersions`
 */
export async function versionsOfInputs(
  { inputs }: Pick<LazySlice, 'inputs'>,
  { expected, ...options }: CallOptions & { readonly expected?: ObjectVersions | undefined } = {},
): Promise<ObjectVersions | undefined> {
  const versions = new Map<string, string | undefined>();
  for (const input of inputs) {
    const store = input.array.context.store.label;
    const known = await input.objectVersions({
      ...options,
      expected: (key) => expected?.get(objectName({ store, key })),
    });
    if (known === undefined) return undefined;
    for (const [key, version] of known) versions.set(objectName({ store, key }), version);
  }
  return versions;
}

/**
 * Whether all objects of a slice have the given versions. Reports them like a read of the slice if they do.
 * @param expected the version of each object, by `objectName`
 * @throws errors from `ArraySlice.objectVersions`
 */
export async function haveVersions(
  { inputs }: Pick<LazySlice, 'inputs'>,
  expected: ObjectVersions,
  { signal, onVersion }: Pick<SliceFoldOptions, 'signal' | 'onVersion'>,
): Promise<boolean> {
  const found: { readonly object: ReadObject; readonly version: string | undefined }[] = [];
  for (const input of inputs) {
    const { array } = input;
    const store = array.context.store.label;
    const current = await input.objectVersions({
      signal,
      expected: (key) => expected.get(objectName({ store, key })),
    });
    for (const [key, version] of current ?? [])
      found.push({ object: { store, path: array.path, key }, version });
  }
  const areEqual = found.every(({ object, version }) => version !== undefined && expected.get(objectName(object)) === version); // prettier-ignore
  if (!areEqual || found.length !== expected.size) return false;
  for (const { object, version } of found) onVersion?.(object, version);
  return true;
}
