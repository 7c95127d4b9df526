/** How links to files are made here, fixed when the gateway starts. */
export interface HrefSettings {
  /** The first signs, every one opens. */
  readonly keys: readonly [string, ...string[]];
  readonly lifetimeMs: number;
  /** What links begin with: an address, or nothing for one relative to the gateway's origin. */
  readonly publicUrl: string;
  /** Path of the files, with slashes at both ends. */
  readonly path: string;
}
