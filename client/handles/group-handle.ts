import { createArrayHandle } from './array-handle.js';
import type { ArrayHandle } from './array-handle.js';
import type { Connection } from '../transport/connection.js';
import { found } from '../transport/connection.js';
import { toNames } from './dtype-option.js';
import type { DTypeOption } from './dtype-option.js';
import { GroupDocument } from '../generated/operations.js';
import { createGroupWriter } from '../writing/group-writer.js';
import type { GroupWriter } from '../writing/group-writer.js';
import { parseGroupInfo } from '../info/info.js';
import type { GroupInfo, NodeSummary } from '../info/info.js';
import { listMembers } from '../info/listing.js';
import type { MembersOptions } from '../info/listing.js';
import { joinPath } from './path.js';
import type {
  AnyStore,
  AttributesAt,
  Below,
  DatasetsBelow,
  DimensionAt,
  DTypeAt,
  VariablesBeside,
} from './stores.js';
import type { RequestOptions } from '../transport/document.js';
import { withTypes } from './with-types.js';

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
  ): ArrayHandle<D, DimensionAt<M, P>, AttributesAt<M, P>, VariablesBeside<S, P>>;
  group<const P extends string>(path: P): GroupHandle<Below<M, P>, DatasetsBelow<S, P>>;
}

export function createGroupHandle<M extends object>(
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
      return parseGroupInfo(store, found(data.store?.group, `group "${path}" of store "${store}"`));
    },
    members: (options?: MembersOptions) => listMembers(connection, store, path, options),
    group: (below: string) => createGroupHandle(connection, store, joinPath(path, below)),
  };
  return withTypes<GroupHandle<M>>(handle);
}
