/** The options of a store in a folder. */

export interface FilesystemStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /** The folder's path. Once it was seen, it must stay: a folder that is gone is an outage, and is never made again. */
  readonly root: string;
  /** Whether the first write may make a folder that was never there. @default true */
  readonly create?: boolean;
  /** Whether writing is refused. @default false */
  readonly readonly?: boolean;
  /** Files open at a time. @default 16; more does not help, Node reads by four threads */
  readonly concurrency?: number;
  /** Whether a write ends only when the disk has it, which costs milliseconds each. @default false */
  readonly fsync?: boolean;
  /**
   * Whether writers of other processes that have this option on are kept out, too: then conditions hold against them,
   * and resizing or appending in one waits for the other. Without it, use only one process: others' changes get lost.
   * Costs some tenths of a millisecond each write. @default true
   */
  readonly lock?: boolean;
  /** Told, at most once a minute, when a program that does not take the lock changed an object during a change of ours. */
  readonly onForeignWrite?: (key: string) => void;
  /** Time of one operation, in milliseconds; each MiB that is read or written adds a second. @default 15000 */
  readonly deadlineMs?: number;
  /** Whether symbolic links may lead out of the folder. Whoever can write there can then have any file read. @default false */
  readonly followLinks?: boolean;
  /** Whether the file system takes "A" and "a" for one name. @default found out */
  readonly foldsCase?: boolean;
  /** Whether the folder lies on a disk of this machine: others may hang, and are only read by Node's threads. @default found out */
  readonly isLocal?: boolean;
}
