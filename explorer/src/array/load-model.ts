/** Loads the model of an array and the values of its recipes, again after each change. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GatewayError, StoreInfo, VariableInfo } from 'zarrql-client';
import { lazySlice, type LazySlice } from 'zarrql-client/analysis';
import { client } from '../gateway/client.js';
import { imagesDocument, estimateDocument } from '../gateway/documents.js';
import { labelsOf, type Labels } from './labels.js';
import { type ArrayModel, type Dimension, isDownwards, keysOf, type Level, roleOf } from './model.js';
import { nameOf, operationsOf, parentOf, type Recipe, requestOf, selectionOf } from './recipe.js';

/**
 * Maximum length of a coordinate to load. For longer coordinates, the gateway looks up labels, and a sample of labels
 * marks the axes.
 */
const MAX_LABELS = 20_000;
const SAMPLED_LABELS = 1000;
/** Maximum length of a coordinate to sample. A sample of a longer coordinate would read too much. */
const MAX_SAMPLED = 5_000_000;

/**
 * @throws ZarrqlError if the array itself cannot be opened. If only its dataset fails, the values are shown undecoded.
 */
export async function loadModel(store: string, path: string, signal: AbortSignal): Promise<ArrayModel> {
  const parent = path.slice(0, path.lastIndexOf('/')) || '/';
  const handle = client.store(store);
  const [info, variables, levels, about] = await Promise.all([
    handle.array(path).info({ signal }),
    variablesOf(store, parent, signal),
    levelsAround(store, parent, path, signal),
    handle.info({ signal }),
  ]);
  const variable = path === '/' ? undefined : variables.find(({ name }) => name === info.name);
  const keys = keysOf(info.dimensions.map(({ name }) => name));
  const labels = await Promise.all(
    info.dimensions.map(async ({ name, size }) => {
      const coordinate = coordinateOf(variables, name);
      if (coordinate === undefined || size > MAX_SAMPLED) return undefined;
      const step = size <= MAX_LABELS ? 1 : Math.ceil(size / SAMPLED_LABELS);
      const loaded = await loadLabels(store, parent, coordinate.name, step, signal);
      return loaded && { step, labels: loaded };
    }),
  );
  const dimensions = info.dimensions.map((dim, d): Dimension => {
    const coordinate = coordinateOf(variables, dim.name);
    const isDate = coordinate?.dtype.name === 'numpy.datetime64';
    return {
      ...dim,
      key: keys[d] ?? String(d),
      units: isDate ? undefined : (coordinate?.units ?? undefined),
      role: roleOf(dim.name, coordinate),
      isDownwards: isDownwards(coordinate),
      labels: labels[d]?.step === 1 ? labels[d].labels : undefined,
      sample: labels[d]?.step === 1 ? undefined : labels[d],
      coordinate: coordinate && {
        store,
        group: parent,
        name: coordinate.name,
        isNumber: isNumeric(coordinate),
        isDate,
      },
    };
  });
  return {
    store,
    path,
    info,
    variable,
    dimensions,
    siblings: variables.filter(({ kind, name }) => kind === 'DATA' && name !== info.name),
    levels,
    canChange: canChange(about),
  };
}

/** Whether values may change while the page shows them: by writes, or by commits of others. */
function canChange({ kind, writable }: StoreInfo): boolean {
  return writable || kind === 'ICECHUNK';
}

function isNumeric({ dtype }: VariableInfo): boolean {
  return /^u?int|^float/.test(dtype.name);
}

function coordinateOf(variables: readonly VariableInfo[], name: string | null): VariableInfo | undefined {
  return variables.find(
    (each) => each.name === name && each.dimensions.length === 1 && each.dimensions[0] === name,
  );
}

/** The variables of the dataset of a group; empty if the group cannot be read as a dataset. */
export async function variablesOf(
  store: string,
  group: string,
  signal: AbortSignal,
): Promise<readonly VariableInfo[]> {
  const ignored = (_error: GatewayError) => {};
  try {
    const { variables } = await client.store(store).dataset(group).info({ signal, onError: ignored });
    return variables;
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** Loads the labels. Undefined if the coordinate cannot be read; the page then shows positions. */
async function loadLabels(
  store: string,
  group: string,
  name: string,
  step: number,
  signal: AbortSignal,
): Promise<Labels | undefined> {
  try {
    const values = await client
      .store(store)
      .dataset(group)
      .variable(name)
      .slice(step === 1 ? undefined : { [name]: [null, null, step] }, { coordinates: false, signal });
    return labelsOf(values);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

async function levelsAround(
  store: string,
  group: string,
  path: string,
  signal: AbortSignal,
): Promise<readonly Level[]> {
  const images = await imagesOf(store, group, signal);
  return images.find((levels) => levels.some((level) => level.path === path)) ?? [];
}

/** The levels of each image of a group, finest first; empty if they cannot be read. */
export async function imagesOf(
  store: string,
  group: string,
  signal: AbortSignal,
): Promise<readonly (readonly Level[])[]> {
  try {
    const { data } = await client.query(imagesDocument, { store, path: group }, { signal });
    const images = data?.store?.group?.multiscales ?? [];
    return images.flatMap((image) => {
      const levels = (image?.levels ?? []).flatMap(({ path, array }) =>
        array === null ? [] : [{ path, shape: array.shape.map(Number) }],
      );
      return levels.length === 0 ? [] : [levels.sort((a, b) => sizeOf(b) - sizeOf(a))];
    });
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function sizeOf({ shape }: Level): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Counts changes of the values. A new count reloads the values. */
export const liveVersion = signal(0);
/** Counts changes of the metadata. A new count reloads the model. */
export const liveShape = signal(0);
export const isLive = signal(false);

/** Changes within this time, in ms, cause a single reload. */
const DEBOUNCE_MS = 150;
const RECONNECT_MS = 3000;

/** Subscribes to changes of the array. Does nothing for read-only stores, which do not change through the gateway. */
export function useLive({ store, path, canChange: isWatched }: ArrayModel): void {
  useEffect(() => {
    if (!isWatched) return undefined;
    const stop = new AbortController();
    watch(store, path, stop.signal).catch(() => {});
    return () => {
      stop.abort();
      isLive.value = false;
    };
  }, [store, path, isWatched]);
}

async function watch(store: string, path: string, stop: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // An append is a change of the shape, followed by one of the data.
  let hasNewMetadata = false;
  while (!stop.aborted) {
    try {
      isLive.value = true;
      for await (const { kind } of client.store(store).changes(path, { signal: stop })) {
        clearTimeout(timer);
        if (kind !== 'DATA') hasNewMetadata = true;
        timer = setTimeout(() => {
          if (hasNewMetadata) liveShape.value += 1;
          hasNewMetadata = false;
          liveVersion.value += 1;
        }, DEBOUNCE_MS);
      }
    } catch {
      // The stream was interrupted: changes may have been missed.
      if (!stop.aborted) liveVersion.value += 1;
    }
    isLive.value = false;
    if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

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
