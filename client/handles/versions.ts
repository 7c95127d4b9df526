/** The history of a store that keeps its snapshots, such as an Icechunk repository. */
import {
  CreateBranchDocument,
  CreateRepositoryDocument,
  CreateTagDocument,
  HistoryDocument,
  SnapshotDiffDocument,
  StoreAtDocument,
  type StoreVersion,
  VersionsDocument,
} from '../generated/operations.js';
import { type Connection, requireResult } from '../transport/connection.js';
import type { RequestOptions } from '../transport/document.js';

export type { StoreVersion };

/** A commit. */
export interface SnapshotInfo {
  readonly id: string;
  /** ISO 8601 with an offset. */
  readonly writtenAt: string;
  /** Null for callers who may not read the root of the store. */
  readonly message: string | null;
  /** Null for the first snapshot. */
  readonly parent: string | null;
}

/** The differences between two snapshots. */
export interface SnapshotDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly {
    readonly path: string;
    readonly metadata: boolean;
    /** Number of chunks that were written or deleted. */
    readonly chunks: number;
    /** A region that contains these chunks, one range per dimension; null if there are none. */
    readonly region: readonly { readonly start: number; readonly stop: number }[] | null;
  }[];
  readonly moved: readonly { readonly from: string; readonly to: string }[];
}

export interface HistoryOptions extends RequestOptions {
  /** Maximum number of snapshots. @default 20 */
  readonly first?: number | undefined;
  /** Id of a snapshot, to start after it. */
  readonly after?: string | undefined;
}

/** The methods of a store for its history. They throw RequestError UNSUPPORTED for a store without one. */
export interface StoreHistory {
  /** Names of branches and tags. */
  versions(options?: RequestOptions): Promise<{ readonly branches: readonly string[]; readonly tags: readonly string[] }>; // prettier-ignore
  /** The latest snapshots of the store, newest first. */
  history(options?: HistoryOptions): Promise<readonly SnapshotInfo[]>;
  /**
   * The differences between two versions.
   * @param to @default the current state
   * @example
   * for (const { path, region } of (await store.diff({ tag: 'v1' })).changed) console.log(path, region);
   */
  diff(from: StoreVersion, to?: StoreVersion, options?: RequestOptions): Promise<SnapshotDiff>;
  /**
   * Creates a repository at the address of the store, where there are no files.
   * @throws RequestError ALREADY_EXISTS, FORBIDDEN, READ_ONLY ..., TransportError
   */
  createRepository(options?: CreateRepositoryOptions): Promise<void>;
  /**
   * Creates a branch. To write to it, serve it as another store.
   * @returns the id of its snapshot
   * @throws errors of `createRepository`
   */
  createBranch(name: string, options?: RequestOptions & { readonly from?: StoreVersion | undefined }): Promise<string>; // prettier-ignore
  /**
   * Names a snapshot for ever.
   * @returns its id
   * @throws errors of `createRepository`
   * @example
   * await store.createTag('v1', { at: { snapshot: id } });
   */
  createTag(name: string, options?: RequestOptions & { readonly at?: StoreVersion | undefined }): Promise<string>; // prettier-ignore
}

export interface CreateRepositoryOptions extends RequestOptions {
  /** Version of the specification, 1 or 2. @default 2 */
  readonly specVersion?: number | undefined;
}

/** The name of a store at the snapshot of a version. */
export async function snapshotName(
  connection: Connection,
  store: string,
  at: StoreVersion,
  options: RequestOptions | undefined,
): Promise<string> {
  const data = await connection.requestJson(StoreAtDocument, { store, at }, options);
  const { id } = requireResult(data.store?.snapshot, `the version of store "${store}"`);
  return `${store.replace(/@.*/, '')}@${id}`;
}

export function createStoreHistory(connection: Connection, store: string): StoreHistory {
  const what = `the history of store "${store}"`;
  return {
    async versions(options) {
      const data = await connection.requestJson(VersionsDocument, { store }, options);
      return requireResult(data.store?.versions, what);
    },
    async history({ first = 20, after, ...options } = {}) {
      const data = await connection.requestJson(HistoryDocument, { store, first, after }, options);
      return requireResult(data.store?.history, what);
    },
    async createRepository({ specVersion = 2, ...options } = {}) {
      await connection.requestJson(CreateRepositoryDocument, { input: { store, specVersion } }, options);
    },
    async createBranch(name, { from, ...options } = {}) {
      const data = await connection.requestJson(
        CreateBranchDocument,
        { input: { store, name, from } },
        options,
      );
      return requireResult(data.createBranch, `the branch "${name}"`).snapshot;
    },
    async createTag(name, { at, ...options } = {}) {
      const data = await connection.requestJson(CreateTagDocument, { input: { store, name, at } }, options);
      return requireResult(data.createTag, `the tag "${name}"`).snapshot;
    },
    async diff(from, to, options) {
      const data = await connection.requestJson(SnapshotDiffDocument, { store, from, to }, options);
      const { changed, ...nodes } = requireResult(data.store?.diff, what);
      return {
        ...nodes,
        changed: changed.map(({ chunks, region, ...node }) => ({
          ...node,
          chunks: Number(chunks),
          region: region?.map(({ start, stop }) => ({ start: Number(start), stop: Number(stop) })) ?? null,
        })),
      };
    },
  };
}
