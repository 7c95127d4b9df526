/** Options of a filesystem store. */

export interface FilesystemStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /**
   * Path of the folder. If the folder has existed, a missing folder is an outage, and is not created again.
   */
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
   * Whether to lock the folder against writers of other processes that also use this option. Conditions
   * then apply to all of them, and resizing and appending are serialised. Without the lock, use only one
   * process, because changes would be lost. Costs a few tenths of a millisecond per write.
   * @default true
   */
  readonly lock?: boolean;
  /** Called, at most once a minute, when a program without the lock has changed an object during a write. */
  readonly onForeignWrite?: (key: string) => void;
  /** Time limit of one operation, in milliseconds; each MiB transferred adds a second. @default 15000 */
  readonly deadlineMs?: number;
  /**
   * Whether symbolic links may lead out of the folder. Anyone who can write to the folder can then make the
   * store read any file.
   * @default false
   */
  readonly followLinks?: boolean;
  /** Whether the file system treats "A" and "a" as one name. @default detected */
  readonly foldsCase?: boolean;
  /**
   * Whether the folder is on a local disk. Other disks may hang, and are read only by Node's threads.
   * @default detected
   */
  readonly isLocal?: boolean;
}
