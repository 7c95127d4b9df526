/**
 * The part of the interface of `@earthmover/icechunk-wasm32-wasi` that zarrql uses. Its own types omit the null that
 * callbacks receive as their first argument.
 */

interface Version {
  readonly etag?: string;
}

interface UpdateResult {
  readonly kind: 'updated' | 'not_on_latest_version';
  readonly newVersion?: Version;
}

/** Requests of the library. An error that begins with `ObjectNotFound:` means that the object is absent. */
export interface StorageBackend {
  canWrite(_: null): Promise<boolean>;
  getObjectRange(
    _: null,
    args: { readonly path: string; readonly rangeStart?: number; readonly rangeEnd?: number },
  ): Promise<{ readonly data: Buffer; readonly version: Version }>;
  getObjectConditional(
    _: null,
    args: { readonly path: string; readonly previousVersion?: Version },
  ): Promise<{ readonly kind: string; readonly data?: Buffer; readonly newVersion?: Version }>;
  listObjects(
    _: null,
    prefix: string,
  ): Promise<readonly { readonly id: string; readonly createdAt: Date; readonly sizeBytes: number }[]>;
  getObjectLastModified(_: null, path: string): Promise<Date>;
  /** Without `previousVersion` unconditional; with an empty one, the object must be absent. */
  putObject(
    _: null,
    args: { readonly path: string; readonly data: Buffer; readonly previousVersion?: Version },
  ): Promise<UpdateResult>;
  copyObject(
    _: null,
    args: { readonly from: string; readonly to: string; readonly version: Version },
  ): Promise<UpdateResult>;
  deleteBatch(_: null, args: object): Promise<never>;
}

export interface LibraryStore {
  get(key: string): Promise<Uint8Array | null>;
  list(): Promise<string[]>;
  listPrefix(prefix: string): Promise<string[]>;
  listDir(prefix: string): Promise<string[]>;
  set(key: string, value: Buffer): Promise<void>;
  delete(key: string): Promise<void>;
  deleteDir(prefix: string): Promise<void>;
  clear(): Promise<void>;
}

export interface Session {
  readonly store: LibraryStore;
  getNodeId(path: string): Promise<string>;
}

export interface WritableSession extends Session {
  /** The snapshot on which the changes are based. */
  readonly snapshotId: string;
  commit(message: string): Promise<string>;
  rebase(): Promise<void>;
  discardChanges(): Promise<void>;
}

export interface LibrarySnapshot {
  readonly id: string;
  readonly parentId?: string;
  readonly writtenAt: string;
  readonly message: string;
}

export interface Repository {
  readonly config: { readonly inlineChunkThresholdBytes?: number };
  readonly specVersion: number;
  readonlySession(options: { readonly snapshotId: string }): Promise<Session>;
  writableSession(branch: string): Promise<WritableSession>;
  createBranch(name: string, snapshotId: string): Promise<void>;
  createTag(name: string, snapshotId: string): Promise<void>;
  listBranches(): Promise<string[]>;
  listTags(): Promise<string[]>;
  lookupBranch(name: string): Promise<string>;
  lookupTag(name: string): Promise<string>;
  lookupManifestFiles(snapshotId: string): Promise<readonly { readonly id: string }[]>;
  lookupSnapshot(id: string): Promise<LibrarySnapshot>;
  ancestry(options: { readonly snapshotId: string }): Promise<readonly LibrarySnapshot[]>;
  diff(options: { readonly fromSnapshotId: string; readonly toSnapshotId: string }): Promise<{
    readonly newGroups: string[];
    readonly newArrays: string[];
    readonly deletedGroups: string[];
    readonly deletedArrays: string[];
    readonly updatedGroups: string[];
    readonly updatedArrays: string[];
    readonly updatedChunks: Readonly<Record<string, number[][]>>;
    readonly movedNodes: readonly { readonly from: string; readonly to: string }[];
  }>;
}

/** Overrides the configuration in the repository. */
interface RepositoryConfig {
  readonly storage: { readonly concurrency: { readonly maxConcurrentRequestsForObject: number } };
}

export interface Library {
  readonly Storage: { newCustom(backend: StorageBackend): object };
  readonly Repository: {
    open(storage: object, config: RepositoryConfig): Promise<Repository>;
    create(storage: object, config: RepositoryConfig, specVersion: number | null): Promise<Repository>;
  };
}
