/** An in-memory dataset for operations. */
import type { OperationScope } from '../../server/analysis/operations/operation.js';
import { createCoordinateCache, createCoordinateReader } from '../../server/dataset/coordinate-reader.js';
import { isVariable } from '../../server/dataset/variable.js';
import { decodeSlice } from '../../server/dataset/decoded-slice.js';
import { openDataset } from '../../server/dataset/open-dataset.js';
import {
  createMemoryStore,
  type HierarchyOptions,
  type JsonObject,
  type JsonValue,
  type LazySlice,
  openHierarchy,
  type Selection,
} from '../../server/zarr/index.js';

export interface SmallVariable {
  readonly dims: readonly string[];
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  /** In the form accepted by `ArraySlice.write`; undefined to store nothing. */
  readonly values: unknown;
  readonly attributes?: JsonObject;
  readonly fill?: JsonValue;
}

export interface SmallDataset {
  readonly scope: OperationScope;
  slice(name: string, select?: Selection, options?: { readonly decode: boolean }): LazySlice;
}

export async function smallDataset(
  variables: Readonly<Record<string, SmallVariable>>,
  options: HierarchyOptions = {},
): Promise<SmallDataset> {
  const store = createMemoryStore({ label: 'm' });
  const written = openHierarchy(store);
  await written.createGroup('/');
  for (const [name, { dims, dtype, shape, chunks, values, attributes = {}, fill }] of Object.entries(
    variables,
  )) {
    const array = await written.createArray(`/${name}`, {
      shape: [...shape],
      dtype,
      chunkShape: [...chunks],
      dimensionNames: [...dims],
      attributes,
      ...(fill === undefined ? {} : { fillValue: fill }),
    });
    if (values !== undefined) await array.select({ kind: 'all' }).write(values);
  }
  const hierarchy = openHierarchy(store, options);
  const dataset = await openDataset(hierarchy, await hierarchy.group('/'), undefined, undefined);
  const coordinates = createCoordinateReader(createCoordinateCache(), (slice) => slice.read());
  return {
    scope: { dataset: async () => dataset, coordinates },
    slice(name, select = { kind: 'all' }, { decode } = { decode: true }) {
      const variable = dataset.variables.get(name);
      if (!isVariable(variable)) throw variable ?? new Error(`unknown variable "${name}"`);
      return (decode ? decodeSlice(variable.stored, variable.decoding()) : variable.stored).select(select);
    },
  };
}
