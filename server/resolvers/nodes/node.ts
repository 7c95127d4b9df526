import { defined } from '../../../wire/guards.js';
import { wireRow } from '../../transport/values/wire-rows.js';
import {
  withContext,
  type JsonObject,
  type DataType,
  dataTypeName,
  numpyTypestr,
  InputError,
} from '../../zarr/index.js';
import { seesEverything, visibleDocuments } from '../access/caller-rights.js';
import type { GatewayContext } from '../context.js';
import { zarrUrlOf } from '../links/zarr-url.js';
import { variableOf } from '../datasets/dataset.js';
import { multiscalesOf } from '../datasets/image.js';
import type {
  NodeResolvers,
  ZarrNodeResolvers,
  ArrayDimension,
  ZarrArrayResolvers,
  ZarrArrayZarrUrlArgs,
  ZarrGroupResolvers,
  DataTypeFieldResolvers,
  DataTypeKind,
  DataTypeResolvers,
  StoreResolvers,
} from '../generated/types.js';
import {
  type GroupModel,
  type IdentifiedModel,
  isGroupModel,
  type NodeModel,
  type ArrayModel,
  type StoreModel,
} from '../models.js';
import { exactSize, positionNumber } from '../scalars/big-int.js';
import { sliceOfSlice, sliceOfText, wholeArray } from '../slices/slice-model.js';
import { printGlobalId } from './global-id.js';
import { listNodes } from './node-listing.js';
import { parentPath, pathBelow } from './node-loader.js';
import { shownSnapshot, snapshotDiff, snapshotsBefore, versionNames } from '../versions/store-versions.js';
import { checkCount, parseCursor, printCursor } from './paging.js';
import { baseName } from './store-name.js';

export const nodeResolvers: NodeResolvers = {
  __resolveType: (model) => identifiedTypeOf(model),
};

export const zarrNodeResolvers: ZarrNodeResolvers = {
  __resolveType: (model) => typeNameOf(model),
};

/** The name of the type of an object with an id. */
export function identifiedTypeOf(model: IdentifiedModel) {
  if ('hierarchy' in model) return 'Store';
  if ('cut' in model) return 'Dataset';
  if ('variable' in model) return 'Variable';
  return 'dataset' in model ? 'DatasetDimension' : typeNameOf(model);
}

function typeNameOf(model: NodeModel): 'ZarrGroup' | 'ZarrArray' {
  return isGroupModel(model) ? 'ZarrGroup' : 'ZarrArray';
}

/** Resolvers of the interface ZarrNode, shared by both of its types. */
const sharedNodeFields = {
  id: ({ store, node }: NodeModel) => printGlobalId({ kind: 'node', store: store.name, path: node.path }),
  path: ({ node }: NodeModel) => node.path,
  name: ({ node }: NodeModel) => node.name,
  zarrFormat: ({ node }: NodeModel) => node.meta.zarrFormat,
  attributes: ({ node }: NodeModel) => node.meta.attributes,
  attribute: ({ node }: NodeModel, { name }: { readonly name: string }) =>
    Object.hasOwn(node.meta.attributes, name) ? node.meta.attributes[name] : null,
  metadata: (model: NodeModel, _: unknown, context: GatewayContext) => documentsOf(model, context),
  version: ({ node }: NodeModel) => node.version,
  parent: (model: NodeModel, _: unknown, context: GatewayContext) => parentOf(model, context),
  zarrUrl: (model: NodeModel, args: Pick<ZarrArrayZarrUrlArgs, 'expires'>, context: GatewayContext) =>
    zarrUrlOf(model, args, context),
};

/** Runs `body`, and adds the location of the node to errors. */
async function withNodeContext<T>({ store, node }: NodeModel, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw withContext(error, { store: store.name, path: node.path });
  }
}

/** Created once per request, even if several aliases select it. */
const visible = new WeakMap<GatewayContext, WeakMap<JsonObject, JsonObject>>();

function documentsOf({ store, node }: NodeModel, context: GatewayContext): JsonObject {
  const { rights } = context;
  const { documents } = node.meta;
  if (seesEverything(rights)) return documents;
  const ofRequest = visible.get(context) ?? new WeakMap<JsonObject, JsonObject>();
  visible.set(context, ofRequest);
  const shown =
    ofRequest.get(documents) ??
    visibleDocuments(documents, node.path, (path) => rights.mayRead(store.name, path));
  ofRequest.set(documents, shown);
  return shown;
}

async function parentOf(
  { store, node }: NodeModel,
  context: GatewayContext,
): Promise<GroupModel | undefined> {
  const path = parentPath(node.path);
  const parent = path === undefined ? undefined : await context.nodes.find(store, path);
  return parent !== undefined && isGroupModel(parent) ? parent : undefined;
}

export const arrayResolvers: ZarrArrayResolvers = {
  ...sharedNodeFields,
  kind: () => 'ARRAY',
  shape: ({ node }) => node.meta.shape,
  ndim: ({ node }) => node.meta.shape.length,
  size: ({ node }) => exactSize(node.meta.shape),
  nbytes: ({ node: { meta } }) =>
    meta.dtype.itemSize === null ? null : exactSize(meta.shape, meta.dtype.itemSize),
  dtype: ({ node }) => ({ dtype: node.meta.dtype, name: node.meta.dtypeName }),
  fillValue: ({ node }) => node.meta.fillJson,
  warnings: ({ node }) => node.meta.warnings,
  storedType: ({ node }) => node.meta.storedType,
  order: ({ node }) => node.meta.order,
  chunkShape: ({ node }) => node.chunkShape,
  shardShape: ({ node }) => node.shardShape,
  dimensions: ({ node }) => node.meta.shape.map((size, d) => dimensionOf(node, size, d)),
  codecs: ({ node }) => node.meta.codecs,
  storage: (model, _, { signal }) => withNodeContext(model, () => model.node.storage({ signal })),
  chunk: (model, { index }, { signal }) =>
    withNodeContext(model, () => model.node.chunk(index.map(positionNumber), { signal })),
  slice: (model, { select }, context) => sliceOfSlice(wholeArray(model), select, context),
};

function dimensionOf(node: ArrayModel['node'], size: number, d: number): ArrayDimension {
  const name = node.dimensionNames[d] ?? null;
  return {
    name,
    size,
    chunkSize: defined(node.chunkShape[d]),
    chunkCount: defined(node.chunkCounts[d]),
    chunkLengths: node.chunkLengths(d) ?? null,
  };
}

export const groupResolvers: ZarrGroupResolvers = {
  ...sharedNodeFields,
  kind: () => 'GROUP',
  consolidated: ({ node }) => node.consolidated,
  consolidatedIsStale: ({ store, node }) => store.hierarchy.isConsolidationBehind(node.path),
  members: ({ store, node }, { first, after, recursive, refresh, ...conditions }, context) =>
    listNodes(
      store,
      conditions,
      { base: node.path, recursive, refresh, everything: false, first, after },
      context,
    ),
  group: ({ store, node }, { path }, context) => context.nodes.group(store, pathBelow(node, path)),
  array: ({ store, node }, { path }, context) => context.nodes.array(store, pathBelow(node, path)),
  dataset: ({ store, node }, _, context) => context.datasets.open(store, node.path),
  multiscales: (group, _, context) => multiscalesOf(group, context),
};

export const dataTypeResolvers: DataTypeResolvers = {
  name: ({ name }) => name,
  numpy: ({ dtype }) => numpyTypestr(dtype),
  kind: ({ dtype }) => kindOf(dtype),
  itemSize: ({ dtype }) => dtype.itemSize,
  unit: ({ dtype }) => unitOf(dtype),
  fields: ({ dtype }) => (dtype.name === 'struct' ? dtype.fields : null),
};

export const dataTypeFieldResolvers: DataTypeFieldResolvers = {
  dtype: ({ dtype }) => ({ dtype, name: dataTypeName(dtype) }),
};

function kindOf({ name }: DataType): DataTypeKind {
  return wireRow(name)?.kind ?? (name === 'struct' ? 'STRUCT' : 'UNKNOWN');
}

function unitOf(dtype: DataType): string | null {
  if (!('unit' in dtype)) return null;
  return dtype.scale === 1 ? dtype.unit : `${dtype.scale}${dtype.unit}`;
}

/** Fields that are not listed here are properties of the model. */
export const storeResolvers: StoreResolvers = {
  id: (store) => printGlobalId({ kind: 'store', store: store.name, path: '/' }),
  name: ({ name }) => baseName(name),
  snapshot: shownSnapshot,
  versions: versionNames,
  history: snapshotsBefore,
  diff: snapshotDiff,
  node: (store, { path }, context) => pinned(store, context, (shown) => context.nodes.node(shown, path)),
  group: (store, { path }, context) => pinned(store, context, (shown) => context.nodes.group(shown, path)),
  array: (store, { path }, context) => pinned(store, context, (shown) => context.nodes.array(shown, path)),
  dataset: (store, { path }, context) =>
    pinned(store, context, (shown) => context.datasets.open(shown, path)),
  variable: async (store, { path }, context) => {
    const at = path.lastIndexOf('/');
    const group = path.slice(0, Math.max(0, at)) || '/';
    const dataset = await pinned(store, context, (shown) => context.datasets.open(shown, group));
    return variableOf(dataset, path.slice(at + 1));
  },
  slice: (store, { text }, context) => pinned(store, context, (shown) => sliceOfText(shown, text, context)),
  search: (store, { first, after, ...conditions }, context) =>
    pinned(store, context, (shown) =>
      listNodes(
        shown,
        conditions,
        { base: '/', recursive: true, refresh: false, everything: true, first, after },
        context,
      ),
    ),
};

/** A list of stores finds their snapshots only when their nodes are read: each costs a request to its store. */
function pinned<T>(
  store: StoreModel,
  context: GatewayContext,
  read: (shown: StoreModel) => T | Promise<T>,
): T | Promise<T> {
  if (store.history === undefined || store.snapshot !== undefined) return read(store);
  const shown = context.pinned(store.name);
  return shown instanceof Promise ? shown.then(read) : read(shown);
}

/** The type StoreConnection, with all fields resolved. */
export interface StorePage {
  readonly edges: readonly { readonly cursor: string; readonly node: StoreModel }[];
  readonly nodes: readonly StoreModel[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | undefined;
    readonly endCursor: string | undefined;
  };
  readonly totalCount: number;
}

/**
 * Returns a page of stores in configuration order. A cursor is a store's name.
 * @throws InputError for an unknown cursor; LimitError for a page that is too large
 */
export function pageOfStores(
  args: { readonly first: number; readonly after?: string | null | undefined },
  context: GatewayContext,
): StorePage {
  checkCount('first', args.first, context.gateway.limits);
  const { stores } = context;
  const start = typeof args.after === 'string' ? indexAfter(args.after, stores) : 0;
  const nodes = stores.slice(start, start + args.first).map(({ name }) => context.store(name));
  const edges = nodes.map((node) => ({ cursor: printCursor(node.name), node }));
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: start + nodes.length < stores.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
    },
    totalCount: stores.length,
  };
}

function indexAfter(cursor: string, stores: readonly StoreModel[]): number {
  const name = parseCursor(cursor);
  const index = stores.findIndex((store) => store.name === name);
  if (index < 0)
    throw new InputError(
      `"after" refers to the unknown store ${JSON.stringify(name.slice(0, 100))}; use the endCursor of the previous page`,
    );
  return index + 1;
}
