/** Loads the model of an array. */
import type { GatewayError, StoreInfo, VariableInfo } from 'zarrql-client';
import { client } from '../gateway/client.js';
import { imagesDocument } from '../gateway/documents.js';
import { type Labels, labelsOf } from './labels.js';
import { type ArrayModel, type Dimension, isDownwards, keysOf, type Level, roleOf } from './model.js';

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
