import { createArrayHandle, type ArrayHandle } from './array-handle.js';
import {
  type Connection,
  type Query,
  requireResult,
  type RequestData,
  type Subscribe,
} from '../transport/connection.js';
import { createDatasetHandle, type DatasetHandle } from './dataset-handle.js';
import { toNames, type DTypeOption } from './dtype-option.js';
import { NodeDocument, StoreDocument, GroupDocument } from '../generated/operations.js';
import { createGroupWriter, type GroupWriter } from '../writing/group-writer.js';
import {
  parseNodeSummary,
  type NodeSummary,
  type StoreInfo,
  parseGroupInfo,
  type GroupInfo,
  joinPath,
} from '../info/info.js';
import {
  listSearch,
  type SearchOptions,
  listMembers,
  type MembersOptions,
  watchChanges,
  type Change,
  type ChangesOptions,
} from '../info/listing.js';
import {
  type AnyStore,
  type AtPath,
  type AttributesAt,
  type Below,
  type DatasetsBelow,
  type DimensionAt,
  type DTypeAt,
  type StoreType,
  type VariablesOfParent,
  withTypes,
} from './stores.js';
import { createStoreHistory, snapshotName, type StoreHistory, type StoreVersion } from './versions.js';
import type { Requests } from '../transport/requests.js';
import type { RequestOptions } from '../transport/document.js';

/** A handle for a group. `M` maps the paths of the arrays below it, relative to the group. */
export interface GroupHandle<
  M extends object = AnyStore['arrays'],
  S extends object = AnyStore['datasets'],
> extends GroupWriter {
  readonly store: string;
  readonly path: string;
  /** @throws RequestError NOT_FOUND, TransportError */
  info(options?: RequestOptions): Promise<GroupInfo>;
  /**
   * The members of the group, fetched page by page during iteration.
   * @example
   * for await (const { kind, path } of group.members({ recursive: true })) console.log(kind, path);
   */
  members(options?: MembersOptions): AsyncIterable<NodeSummary>;
  /** A handle for an array below the group, by its relative path. */
  array<const P extends keyof M & string, D extends DTypeAt<M, P> = DTypeAt<M, P>>(
    path: P,
    options?: DTypeOption<D>,
  ): ArrayHandle<D, DimensionAt<M, P>, AttributesAt<M, P>, VariablesOfParent<S, P>>;
  group<const P extends string>(path: P): GroupHandle<Below<M, P>, DatasetsBelow<S, P>>;
}

function createGroupHandle<M extends object>(
  connection: Connection,
  store: string,
  path: string,
): GroupHandle<M> {
  const handle = {
    store,
    path,
    ...createGroupWriter(connection, store, path),
    array: (below: string, options?: DTypeOption<never>) =>
      createArrayHandle(connection, store, joinPath(path, below), toNames(options?.dtype)),
    async info(options?: RequestOptions) {
      const data = await connection.requestJson(GroupDocument, { store, path }, options);
      return parseGroupInfo(store, requireResult(data.store?.group, `group "${path}" of store "${store}"`));
    },
    members: (options?: MembersOptions) => listMembers(connection, store, path, options),
    group: (below: string) => createGroupHandle(connection, store, joinPath(path, below)),
  };
  return withTypes<GroupHandle<M>>(handle);
}

/**
 * A handle for a store. Only methods that return a promise or iterate send requests. `request`, `query` and `subscribe`
 * send documents for the schema that is generated from the store.
 * @example
 * const { SST } = await store.request('{ SST(TIME: {at: "0000-03"}, COADSY: {near: 40}, COADSX: {near: -49}) { value } }');
 */
export interface StoreHandle<T extends StoreType = AnyStore> extends GroupWriter, Requests, StoreHistory {
  readonly store: string;
  /** @throws RequestError NOT_FOUND, TransportError */
  info(options?: RequestOptions): Promise<StoreInfo>;
  /**
   * The store at the snapshot that a version names now. Such a handle always reads that snapshot.
   * @throws RequestError UNSUPPORTED for a store without a history, NOT_FOUND, TransportError
   * @example
   * const released = await client.store('weather').at({ tag: 'v1' });
   */
  at(version: StoreVersion, options?: RequestOptions): Promise<StoreHandle<T>>;
  /**
   * A handle for an array, by its path; the first slash is optional. With `dtype`, results have that type, and reading
   * an array of another type throws a DataTypeError.
   *
   * @example
   * const array = store.array('ocean/temperature', { dtype: 'float32' });
   */
  array<
    const P extends (keyof T['arrays'] & string) | `/${keyof T['arrays'] & string}`,
    D extends DTypeAt<T['arrays'], P> = DTypeAt<T['arrays'], P>,
  >(
    path: P,
    options?: DTypeOption<D>,
  ): ArrayHandle<
    D,
    DimensionAt<T['arrays'], P>,
    AttributesAt<T['arrays'], P>,
    VariablesOfParent<T['datasets'], P>
  >;
  /** A handle for a group, by its path. @default '/' */
  group(): GroupHandle<T['arrays'], T['datasets']>;
  group<const P extends (keyof T['groups'] & string) | `/${keyof T['groups'] & string}`>(
    path: P,
  ): GroupHandle<Below<T['arrays'], P>, DatasetsBelow<T['datasets'], P>>;
  /** A handle for the dataset of a group: named dimensions, coordinates, decoded values. @default '/' */
  dataset(): DatasetHandle<AtPath<T['datasets'], ''>>;
  dataset<const P extends (keyof T['datasets'] & string) | `/${keyof T['datasets'] & string}`>(
    path: P,
  ): DatasetHandle<AtPath<T['datasets'], P>>;
  /**
   * A handle for the decoded variable at a path: the variable of this name in the dataset of its group.
   * @example
   * const sst = await store.variable('ocean/sst').slice('time=2021-03, lat=-5..5');
   */
  variable(path: string): ReturnType<DatasetHandle['variable']>;
  /** The group or array at a path. @throws RequestError NOT_FOUND, TransportError */
  node(path: string, options?: RequestOptions): Promise<NodeSummary>;
  /**
   * All matching nodes, fetched page by page during iteration.
   * @example
   * for await (const { path } of store.search({ kind: 'ARRAY', dimension: 'time' })) console.log(path);
   */
  search(options?: SearchOptions): AsyncIterable<NodeSummary>;
  /**
   * Future changes through the gateway, at a path and below it. Ends when the gateway closes the stream or the consumer
   * stops.
   * @default path '/'
   * @throws RequestError, TransportError during iteration; ABORTED when the signal fires; NETWORK if the connection was
   *   lost: continue with the option `after`; LIMIT_EXCEEDED if changes may have been missed
   * @example
   * for await (const { kind, path, region } of store.changes('/ocean')) console.log(kind, path, region);
   */
  changes(path?: string, options?: ChangesOptions): AsyncIterable<Change>;
}

/** Creates a handle. The type argument exists only at compile time. */
export function createStoreHandle<T extends StoreType>(
  connection: Connection,
  store: string,
): StoreHandle<T> {
  const groupAt = (path = '/') =>
    createGroupHandle<AnyStore['arrays']>(connection, store, joinPath('/', path));
  // Created on first use, because most programs use no generated schema.
  let own: ReturnType<Connection['forStore']> | undefined;
  const requests = (): ReturnType<Connection['forStore']> => (own ??= connection.forStore(store));
  const request: RequestData = (document, variables, options) =>
    requests().request(document, variables, options);
  const query: Query = (document, variables, options) => requests().query(document, variables, options);
  const subscribe: Subscribe = (document, variables, options) =>
    requests().subscribe(document, variables, options);
  const handle = {
    store,
    ...{ request, query, subscribe },
    ...createGroupWriter(connection, store, '/'),
    ...createStoreHistory(connection, store),
    at: async (version: StoreVersion, options?: RequestOptions) =>
      createStoreHandle<T>(connection, await snapshotName(connection, store, version, options)),
    array: (path: string, options?: DTypeOption<never>) =>
      createArrayHandle(connection, store, joinPath('/', path), toNames(options?.dtype)),
    async info(options?: RequestOptions) {
      const data = await connection.requestJson(StoreDocument, { store }, options);
      return requireResult(data.store, `store "${store}"`);
    },
    group: groupAt,
    dataset: (path = '/') =>
      createDatasetHandle(connection, { store, path: joinPath('/', path), selects: [] }),
    variable(path: string) {
      const whole = joinPath('/', path);
      const at = whole.lastIndexOf('/');
      const parent = whole.slice(0, at) || '/';
      return createDatasetHandle(connection, { store, path: parent, selects: [] }).variable(whole.slice(at + 1)); // prettier-ignore
    },
    async node(path: string, options?: RequestOptions) {
      const data = await connection.requestJson(NodeDocument, { store, path }, options);
      return parseNodeSummary(requireResult(data.store?.node, `node "${path}" of store "${store}"`));
    },
    search: (options?: SearchOptions) => listSearch(connection, store, options),
    changes: (path = '/', options?: ChangesOptions) =>
      watchChanges(connection, { store, path: joinPath('/', path) }, options),
  };
  return withTypes<StoreHandle<T>>(handle);
}
