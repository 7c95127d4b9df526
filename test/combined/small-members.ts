/** Small stores in memory, to be combined. */
import { createCombinedStore, type CombinedStoreOptions } from '../../server/combined/combined-store.js';
import {
  createMemoryStore,
  type Hierarchy,
  isZarrError,
  type KeyStore,
  openHierarchy,
  toNested,
} from '../../server/zarr/index.js';

export interface SmallArray {
  readonly dims: readonly string[];
  readonly values: unknown;
  readonly dtype?: string;
  readonly chunks?: readonly number[];
  /** @default true */
  readonly isStored?: boolean;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

function shapeOf(values: unknown): number[] {
  return Array.isArray(values) ? [values.length, ...shapeOf(values[0])] : [];
}

/** A store with these arrays, by path. */
export async function smallStore(
  label: string,
  arrays: Readonly<Record<string, SmallArray>>,
  zarrFormat: 2 | 3 = 3,
): Promise<KeyStore> {
  const store = createMemoryStore({ label });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/', { zarrFormat });
  for (const [path, array] of Object.entries(arrays)) await addArray(hierarchy, path, array);
  return store;
}

export async function addArray(
  hierarchy: Hierarchy,
  path: string,
  { dims, values, dtype = 'float64', chunks, attributes = {}, isStored = true }: SmallArray,
): Promise<void> {
  const shape = shapeOf(values).slice(0, dims.length);
  const array = await hierarchy.createArray(path, {
    shape,
    dtype,
    chunkShape: chunks ?? shape.map((size) => Math.max(1, size)),
    dimensionNames: [...dims],
    attributes,
  });
  if (!shape.includes(0) && isStored) await array.select().write(values);
}

/** A member with labels along `time`. */
export function along(
  labels: readonly number[],
  more: Readonly<Record<string, SmallArray>> = {},
): Record<string, SmallArray> {
  return {
    time: { dims: ['time'], values: labels },
    v: { dims: ['time'], values: labels.map((label) => label * 10) },
    ...more,
  };
}

export async function combined(
  members: Readonly<Record<string, Readonly<Record<string, SmallArray>>>>,
  options: Partial<CombinedStoreOptions> = { along: 'time' },
): Promise<KeyStore> {
  const stores = await Promise.all(
    Object.entries(members).map(async ([name, arrays]) => ({ name, store: await smallStore(name, arrays) })),
  );
  return createCombinedStore({ label: 'all', members: stores, maxAgeMs: 0, ...options });
}

/** All values of an array, or the error. */
export async function valuesOf(store: KeyStore, path: string): Promise<unknown> {
  try {
    const array = await openHierarchy(store, { checksArrays: true }).array(path);
    return toNested(await array.select().read());
  } catch (error) {
    if (isZarrError(error)) return `${error.code}: ${error.detail}`;
    throw error;
  }
}
