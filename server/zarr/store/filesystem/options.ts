/** Options of a filesystem store. */

export interface FilesystemStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /** Path of the folder. Once it has been seen, a missing folder is an outage, and is never created again. */
  readonly root: string;
  /** Whether the first write may create the folder if it never existed. @default true */
  readonly create?: boolean;
  /** Whether writing is refused. @default false */
  readonly readonly?: boolean;
  /** Concurrently open files. @default 16; more does not help, since Node reads with four threads */
  readonly concurrency?: number;
  /** Whether writes wait until the data is on disk, which takes milliseconds. @default false */
  readonly fsync?: boolean;
  /**
   * Whether to lock out writers of other processes that use this option too: conditions then apply to them,
   * and resizing or appending is serialised. Without it, use only one process: otherwise changes are lost.
   * Costs some tenths of a millisecond per write. @default true
   */
  readonly lock?: boolean;
  /**
   * Called, at most once a minute, when a program that does not use the lock changed an object during one of
   * our changes.
   */
  readonly onForeignWrite?: (key: string) => void;
  /** Time limit of one operation, in milliseconds; each MiB transferred adds a second. @default 15000 */
  readonly deadlineMs?: number;
  /**
   * Whether symbolic links may lead out of the folder. Anyone who can write there can then have any file
   * read. @default false
   */
  readonly followLinks?: boolean;
  /** Whether the file system treats "A" and "a" as one name. @default detected */
  readonly foldsCase?: boolean;
  /**
   * Whether the folder is on a local disk: others may hang, and are only read by Node's threads. @default
   * detected
   */
  readonly isLocal?: boolean;
}
