import { createArrayHandle, toNames } from './array-handle.js';
import type { ArrayHandle, DTypeOption } from './array-handle.js';
import type { Connection } from './connection.js';
import { found } from './connection.js';
import { GroupDocument, NodeDocument, StoreDocument } from './generated/operations.js';
import { parseGroupInfo, parseNodeSummary } from './info.js';
import type { GroupInfo, NodeSummary, StoreInfo } from './info.js';
import { listMembers, listSearch } from './listing.js';
import type { MembersOptions, SearchOptions } from './listing.js';
import type { DTypeName } from './ndarray/ndarray.js';
import { joinPath } from './path.js';
import type { RequestOptions } from './transport/document.js';

/** A store by its configured name; nothing is asked before a method does. */
export interface StoreHandle {
  readonly store: string;
  /** @throws RequestError NOT_FOUND, TransportError */
  info(options?: RequestOptions): Promise<StoreInfo>;
  /**
   * An array by its path; the first slash may be left out. With `dtype`, results have that type, and an array of
   * another one is a DataTypeError when its values come.
   */
  array(path: string): ArrayHandle;
  array<D extends DTypeName>(path: string, options: DTypeOption<D>): ArrayHandle<D>;
  /** A group by its path. @default '/' */
  group(path?: string): GroupHandle;
  /** What lies at a path, group or array. @throws RequestError NOT_FOUND, TransportError */
  node(path: string, options?: RequestOptions): Promise<NodeSummary>;
  /** Every node that matches, page by page as it is iterated. */
  search(options?: SearchOptions): AsyncIterable<NodeSummary>;
}

/** A group by its place. */
export interface GroupHandle {
  readonly store: string;
  readonly path: string;
  /** @throws RequestError NOT_FOUND, TransportError */
  info(options?: RequestOptions): Promise<GroupInfo>;
  /** The nodes in it, page by page as it is iterated. */
  members(options?: MembersOptions): AsyncIterable<NodeSummary>;
  /** An array below this group, by its path from here. */
  array(path: string): ArrayHandle;
  array<D extends DTypeName>(path: string, options: DTypeOption<D>): ArrayHandle<D>;
  group(path: string): GroupHandle;
}

export function createStoreHandle(connection: Connection, store: string): StoreHandle {
  const array = createArrayLookup(connection, store, '/');
  return {
    store,
    array,
    async info(options) {
      const data = await connection.request(StoreDocument, { store }, options);
      return found(data.store, `store "${store}"`);
    },
    group: (path = '/') => createGroupHandle(connection, store, joinPath('/', path)),
    async node(path, options) {
      const data = await connection.request(NodeDocument, { store, path }, options);
      return parseNodeSummary(found(data.store?.node, `node "${path}" of store "${store}"`));
    },
    search: (options) => listSearch(connection, store, options),
  };
}

export function createGroupHandle(connection: Connection, store: string, path: string): GroupHandle {
  return {
    store,
    path,
    array: createArrayLookup(connection, store, path),
    async info(options) {
      const data = await connection.request(GroupDocument, { store, path }, options);
      return parseGroupInfo(store, found(data.store?.group, `group "${path}" of store "${store}"`));
    },
    members: (options) => listMembers(connection, store, path, options),
    group: (below) => createGroupHandle(connection, store, joinPath(path, below)),
  };
}

function createArrayLookup(connection: Connection, store: string, base: string): GroupHandle['array'] {
  function array(path: string): ArrayHandle;
  function array<D extends DTypeName>(path: string, options: DTypeOption<D>): ArrayHandle<D>;
  function array(path: string, options?: DTypeOption<DTypeName>): ArrayHandle {
    return createArrayHandle(connection, store, joinPath(base, path), toNames(options?.dtype));
  }
  return array;
}
