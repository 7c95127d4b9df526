/** Settings of links to files, fixed at startup. */
export interface HrefSettings {
  /** The first key signs, all keys verify. */
  readonly keys: readonly [string, ...string[]];
  readonly lifetimeMs: number;
  /** Prefix of links: a URL, or empty for links relative to the gateway's origin. */
  readonly publicUrl: string;
  /** Path of the files, with slashes at both ends. */
  readonly path: string;
  /** Path of map tiles, with slashes at both ends. */
  readonly tilesPath: string;
}
