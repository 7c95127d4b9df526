/** Reads the metadata that types are generated from. */
import type { Client } from '../client.js';
import { isZarrqlError, TransportError, rejectMalformed, type ZarrqlError } from '../errors.js';
import { CatalogArraysDocument, CatalogGroupsDocument } from '../generated/catalog.js';
import type { ArrayFieldsFragment } from '../generated/operations.js';
import { parseAttributes, toDTypeName, type DataTypeInfo } from '../info/info.js';
import { toJsonForm } from '../json/json-form.js';
import { shown, type JsonObject } from '../json/json.js';
import type { DTypeName } from '../ndarray/ndarray.js';
import { endlessListing, MAX_PAGES } from '../info/listing.js';
import { parseShape } from '../ndarray/shape.js';

export interface Catalog {
  readonly stores: readonly CatalogStore[];
}

export interface CatalogStore {
  readonly name: string;
  readonly description: string | null;
  readonly arrays: readonly CatalogArray[];
  readonly groups: readonly { readonly path: string; readonly attributes: JsonObject }[];
  readonly datasets: readonly CatalogDataset[];
}

/** An array, or a decoded variable of a dataset. The `path` of a variable is its name. */
export interface CatalogArray {
  /** Path without the leading slash; the root is ''. */
  readonly path: string;
  /** Undefined for an unsupported data type. */
  readonly dtype: DTypeName | undefined;
  /** Null for a dimension without a name. */
  readonly dimensions: readonly (string | null)[];
  readonly shape: readonly number[];
  readonly attributes: JsonObject;
}

export interface CatalogDataset {
  /** Path of the group. */
  readonly path: string;
  readonly dimensions: readonly string[];
  readonly variables: readonly CatalogArray[];
}

export interface CatalogOptions {
  /** Only these stores. @default all */
  readonly stores?: readonly string[] | undefined;
  /** Called for each node, dataset or variable that is skipped because it cannot be read. @default ignored */
  readonly onError?: ((error: ZarrqlError) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PAGE_SIZE = 200;

/**
 * Reads the metadata of all stores, or of those in `options`.
 * @throws ZarrqlError if a store cannot be listed
 * @example
 * await writeFile('stores.gen.ts', writeStores(await readCatalog(createClient({ url }))));
 */
export async function readCatalog(
  client: Pick<Client, 'stores' | 'store' | 'query'>,
  options: CatalogOptions = {},
): Promise<Catalog> {
  const stores: CatalogStore[] = [];
  for await (const { name, description } of client.stores({ signal: options.signal })) {
    textOf(name);
    if (options.stores !== undefined && !options.stores.includes(name)) continue;
    const arrays = await readArrays(client, name, options);
    const groups = await readGroups(client, name, options);
    const datasets = await readDatasets(client, name, possibleDatasets(groups, arrays), options);
    const about = typeof description === 'string' ? description : null;
    stores.push({ name, description: about, arrays, groups, datasets });
  }
  return { stores };
}

async function readArrays(
  client: Pick<Client, 'query'>,
  store: string,
  { onError, signal }: CatalogOptions,
): Promise<CatalogArray[]> {
  const arrays: CatalogArray[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    if ((pages += 1) > MAX_PAGES) throw endlessListing();
    const variables = { store, first: PAGE_SIZE, after };
    const { data, errors } = await client.query(CatalogArraysDocument, variables, { signal });
    const page = data?.store?.search;
    if (!page && errors[0] !== undefined) throw errors[0];
    for (const error of errors) onError?.(error);
    for (const node of page?.nodes ?? [])
      if (node?.__typename === 'ZarrArray') arrays.push(rejectMalformed(() => catalogArray(node)));
    after = nextPage(page?.pageInfo, after);
  } while (after !== undefined);
  return arrays;
}

function catalogArray(
  node: Pick<ArrayFieldsFragment, 'path' | 'shape' | 'attributes'> & {
    readonly dtype: DataTypeInfo;
    readonly dimensions: readonly { readonly name: string | null }[];
  },
): CatalogArray {
  return {
    path: textOf(node.path).slice(1),
    dtype: toDTypeName(node.dtype),
    dimensions: node.dimensions.map(({ name }) => (name === null ? null : textOf(name))),
    shape: parseShape(node.shape),
    attributes: parseAttributes(toJsonForm(node.attributes)),
  };
}

async function readGroups(
  client: Pick<Client, 'query'>,
  store: string,
  { onError, signal }: CatalogOptions,
): Promise<{ path: string; attributes: JsonObject }[]> {
  const groups: { path: string; attributes: JsonObject }[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    if ((pages += 1) > MAX_PAGES) throw endlessListing();
    const variables = { store, first: PAGE_SIZE, after };
    const { data, errors } = await client.query(CatalogGroupsDocument, variables, { signal });
    const page = data?.store?.search;
    if (!page && errors[0] !== undefined) throw errors[0];
    for (const error of errors) onError?.(error);
    for (const node of page?.nodes ?? [])
      if (node !== null)
        groups.push(
          rejectMalformed(() => ({
            path: textOf(node.path).slice(1),
            attributes: parseAttributes(toJsonForm(node.attributes)),
          })),
        );
    after = nextPage(page?.pageInfo, after);
  } while (after !== undefined);
  return groups;
}

/** Asserts that a name is text, because it becomes source code. @throws TransportError BAD_RESPONSE */
function textOf(name: unknown): string {
  if (typeof name === 'string') return name;
  throw new TransportError('BAD_RESPONSE', `malformed name ${shown(name)} in the response`);
}

function nextPage(
  page: { readonly hasNextPage: boolean; readonly endCursor: string | null } | undefined,
  after: string | undefined,
): string | undefined {
  const next = page?.hasNextPage === true ? (page.endCursor ?? undefined) : undefined;
  return next === after ? undefined : next;
}

/** Paths of groups that contain an array with a named dimension or without dimensions, which may be a variable. */
function possibleDatasets(
  groups: readonly { readonly path: string }[],
  arrays: readonly CatalogArray[],
): string[] {
  const holders = arrays.flatMap(({ path, dimensions }) =>
    path === '' || (dimensions.length > 0 && dimensions.every((name) => name === null))
      ? []
      : [path.slice(0, Math.max(0, path.lastIndexOf('/')))],
  );
  const known = new Set(holders);
  return groups.flatMap(({ path }) => (known.has(path) ? [path] : []));
}

async function readDatasets(
  client: Pick<Client, 'store'>,
  store: string,
  paths: readonly string[],
  { onError, signal }: CatalogOptions,
): Promise<CatalogDataset[]> {
  const datasets: CatalogDataset[] = [];
  const report = (error: ZarrqlError) => onError?.(error);
  for (const path of paths) {
    try {
      const { dimensions, variables } = await client
        .store(store)
        .dataset(path)
        .info({ signal, onError: report });
      datasets.push({
        path,
        dimensions: dimensions.map(({ name }) => textOf(name)),
        variables: variables.map(({ name, dtype, dimensions: names, shape, attributes }) => ({
          path: textOf(name),
          dtype: toDTypeName(dtype),
          dimensions: names.map(textOf),
          shape,
          attributes,
        })),
      });
    } catch (error) {
      if (!isZarrqlError(error) || isZarrqlError(error, 'ABORTED')) throw error;
      report(error);
    }
  }
  return datasets;
}
