import { createArrayHandle } from './array-handle.js';
import type { ArrayHandle } from './array-handle.js';
import { watchChanges } from '../info/changes.js';
import type { Change } from '../info/changes.js';
import type { Connection } from '../transport/connection.js';
import { found } from '../transport/connection.js';
import { createDatasetHandle } from './dataset-handle.js';
import type { DatasetHandle } from './dataset-handle.js';
import { toNames } from './dtype-option.js';
import type { DTypeOption } from './dtype-option.js';
import { NodeDocument, StoreDocument } from '../generated/operations.js';
import { createGroupHandle } from './group-handle.js';
import type { GroupHandle } from './group-handle.js';
import { createGroupWriter } from '../writing/group-writer.js';
import type { GroupWriter } from '../writing/group-writer.js';
import { parseNodeSummary } from '../info/info.js';
import type { NodeSummary, StoreInfo } from '../info/info.js';
import { listSearch } from '../info/listing.js';
import type { SearchOptions } from '../info/listing.js';
import { joinPath } from './path.js';
import type { AnyStore, AtPath, AttributesAt, Below, DimensionAt, DTypeAt, StoreType } from './stores.js';
import type { RequestOptions } from '../transport/document.js';

/** A store by its configured name; nothing is asked before a method does. */
export interface StoreHandle<T extends StoreType = AnyStore> extends GroupWriter {
  readonly store: string;
  /** @throws RequestError NOT_FOUND, TransportError */
  info(options?: RequestOptions): Promise<StoreInfo>;
  /**
   * An array by its path; the first slash may be left out. With `dtype`, results have that type, and an array of
   * another one is a DataTypeError when its values come.
   */
  array<
    const P extends (keyof T['arrays'] & string) | `/${keyof T['arrays'] & string}`,
    D extends DTypeAt<T['arrays'], P> = DTypeAt<T['arrays'], P>,
  >(
    path: P,
    options?: DTypeOption<D>,
  ): ArrayHandle<D, DimensionAt<T['arrays'], P>, AttributesAt<T['arrays'], P>>;
  /** A group by its path. @default '/' */
  group(): GroupHandle<T['arrays']>;
  group<const P extends (keyof T['groups'] & string) | `/${keyof T['groups'] & string}`>(
    path: P,
  ): GroupHandle<Below<T['arrays'], P>>;
  /** The dataset of a group: named dimensions, coordinates, decoded values. @default '/' */
  dataset(): DatasetHandle<AtPath<T['datasets'], ''>>;
  dataset<const P extends (keyof T['datasets'] & string) | `/${keyof T['datasets'] & string}`>(
    path: P,
  ): DatasetHandle<AtPath<T['datasets'], P>>;
  /** What lies at a path, group or array. @throws RequestError NOT_FOUND, TransportError */
  node(path: string, options?: RequestOptions): Promise<NodeSummary>;
  /** Every node that matches, page by page as it is iterated. */
  search(options?: SearchOptions): AsyncIterable<NodeSummary>;
  /**
   * What is changed from now on through the gateway, at a path and below it. Ends when its consumer stops or the signal
   * fires. @default path '/'
   * @throws RequestError, TransportError, while it is iterated: NETWORK where the connection broke (changes may have
   * been missed)
   */
  changes(path?: string, options?: Pick<RequestOptions, 'signal'>): AsyncIterable<Change>;
}

/** The types say what the names mean; at run time every handle is made in one way. */
export function createStoreHandle<T extends StoreType>(
  connection: Connection,
  store: string,
): StoreHandle<T> {
  const groupAt = (path = '/') =>
    createGroupHandle<AnyStore['arrays']>(connection, store, joinPath('/', path));
  const handle = {
    store,
    ...createGroupWriter(connection, store, '/'),
    array: (path: string, options?: DTypeOption<never>) =>
      createArrayHandle(connection, store, joinPath('/', path), toNames(options?.dtype)),
    async info(options?: RequestOptions) {
      const data = await connection.requestJson(StoreDocument, { store }, options);
      return found(data.store, `store "${store}"`);
    },
    group: groupAt,
    dataset: (path = '/') =>
      createDatasetHandle(connection, { store, path: joinPath('/', path), selects: [] }),
    async node(path: string, options?: RequestOptions) {
      const data = await connection.requestJson(NodeDocument, { store, path }, options);
      return parseNodeSummary(found(data.store?.node, `node "${path}" of store "${store}"`));
    },
    search: (options?: SearchOptions) => listSearch(connection, store, options),
    changes: (path = '/', options?: Pick<RequestOptions, 'signal'>) =>
      watchChanges(connection, { store, path: joinPath('/', path) }, options?.signal),
  };
  // What `T` knows is known to the compiler alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return handle as unknown as StoreHandle<T>;
}
