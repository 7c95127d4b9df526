/**
 * Keeps a store inside its folder: symbolic links may lead anywhere within it and nowhere else. Asking the operating
 * system for a real path costs as much as a small read, so that a folder found inside is trusted for a second; a link
 * in the last place of a path is never followed unasked (O_NOFOLLOW).
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { StoreDeniedError, StoreUnavailableError } from '../../errors.js';
import { codeOf, meansAbsent } from './failure.js';

const trustMs = 1000;
const maxFolders = 10_000;

export interface BoundaryOptions {
  /** Whether a missing root is a failure: a disk that is not mounted must not look like an empty store. */
  readonly mustExist: boolean;
  /** Whether links may lead anywhere. */
  readonly isOpen: boolean;
}

export interface Boundary {
  /** Whether this folder (a path) was found inside a moment ago. */
  isTrusted(folder: string): boolean;
  /** Where a folder lies, by blocking calls; 'unknown' is for `resolve` to find out, or to tell why not. */
  locateNow(folder: string): 'inside' | 'absent' | 'unknown';
  /**
   * The real path of a file or folder inside; undefined where there is none.
   * @throws StoreDeniedError if it lies outside; StoreUnavailableError if the store's own folder is missing and must
   * be there
   */
  resolve(path: string): Promise<string | undefined>;
}

/**
 * @param root the store's folder, absolute; it may itself be a link, and be moved to another folder while it is served
 */
export function createBoundary(root: string, { mustExist, isOpen }: BoundaryOptions): Boundary {
  const trusted = new Map<string, number>();
  let realRoot: string | undefined;

  const isInside = (real: string): boolean =>
    realRoot !== undefined &&
    (isOpen || real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep));

  function trust(path: string): void {
    if (trusted.size >= maxFolders) trusted.clear();
    trusted.set(path, performance.now() + trustMs);
  }

  const isTrusted = (folder: string): boolean => (trusted.get(folder) ?? 0) > performance.now();

  /** A real folder in a trusted one is inside: one look at it, where asking for its real path looks at every part. */
  function isPlainFolder(folder: string): boolean {
    if (isTrusted(folder)) return true;
    if (folder.length <= root.length || !isPlainFolder(dirname(folder))) return false;
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    trust(folder);
    return true;
  }

  async function readRoot(): Promise<void> {
    try {
      realRoot = await realpath(root);
    } catch (error) {
      realRoot = undefined;
      if (!meansAbsent(error)) throw error;
      if (mustExist) throw new StoreUnavailableError("the store's folder does not exist", { cause: error });
    }
  }

  return {
    isTrusted,

    locateNow(folder) {
      if (isTrusted(folder)) return 'inside';
      try {
        if (isPlainFolder(folder)) return 'inside';
        const real = realpathSync.native(folder);
        // The root may have been moved since it was last looked at.
        if (!isInside(real)) realRoot = realpathSync.native(root);
        if (!isInside(real)) return 'unknown';
        trust(folder);
        return 'inside';
      } catch (error) {
        // The parts of a sparse array that were never written are many; but is the root itself still there?
        return codeOf(error) === 'ENOENT' && folder !== root && existsSync(root) ? 'absent' : 'unknown';
      }
    },

    async resolve(path) {
      let real: string;
      try {
        real = await realpath(path);
      } catch (error) {
        if (!meansAbsent(error)) throw error;
        if (mustExist) await readRoot();
        return undefined;
      }
      // The root may have been moved since it was last looked at.
      if (!isInside(real)) await readRoot();
      if (!isInside(real))
        throw new StoreDeniedError(
          "a symbolic link leads out of the store's folder; such links are not followed",
        );
      trust(path);
      return real;
    },
  };
}
