/**
 * Confines a store to its folder: symbolic links may lead anywhere within it, but not out of it. Resolving a
 * real path costs as much as a small read, so a folder that was found inside the store is trusted for one
 * second. A link in the last component of a path is followed only after it has been resolved (O_NOFOLLOW).
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { StoreDeniedError, StoreUnavailableError } from '../../core/errors.js';
import { codeOf, meansAbsent } from './failure.js';
import { describeFile } from './root-identity.js';

const TRUST_MS = 1000;
const MAX_FOLDERS = 10_000;

interface RootConfinementOptions {
  /** Whether a missing root is an error, so that an unmounted disk does not look like an empty store. */
  readonly mustExist: boolean;
  /** Whether links may lead out of the folder. */
  readonly isOpen: boolean;
}

export type RootConfinement = ReturnType<typeof createRootConfinement>;

/**
 * @param root the store's folder, absolute; it may be a link, and its target may change while it is served
 */
export function createRootConfinement(root: string, { mustExist, isOpen }: RootConfinementOptions) {
  const trusted = new Map<string, number>();
  let realRoot: string | undefined;

  const isInside = (real: string): boolean =>
    realRoot !== undefined &&
    (isOpen || real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep));

  function trust(path: string): void {
    if (trusted.size >= MAX_FOLDERS) trusted.clear();
    trusted.set(path, performance.now() + TRUST_MS);
  }

  const isTrusted = (folder: string): boolean => (trusted.get(folder) ?? 0) > performance.now();

  /** One `lstat` per level is sufficient, because a real folder in a trusted folder is inside the store. */
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
    if (mustExist && realRoot !== undefined && !(await stat(realRoot)).isDirectory())
      throw new StoreUnavailableError(`the path of the store is ${await describeFile(realRoot)}`);
  }

  return {
    /** Whether this folder (a path) was recently found inside the store. */
    isTrusted,
    /** Examines a folder synchronously. If the result is 'unknown', call `resolve`. */
    locateNow(folder: string): 'inside' | 'absent' | 'unknown' {
      if (isTrusted(folder)) return 'inside';
      try {
        if (isPlainFolder(folder)) return 'inside';
        const real = realpathSync.native(folder);
        // The root may have moved since it was last resolved.
        if (!isInside(real)) realRoot = realpathSync.native(root);
        if (!isInside(real)) return 'unknown';
        trust(folder);
        return 'inside';
      } catch (error) {
        // Absent chunks are frequent, but the root may be missing too.
        return codeOf(error) === 'ENOENT' && folder !== root && existsSync(root) ? 'absent' : 'unknown';
      }
    },
    /**
     * The real path of a file or folder inside the store; undefined if it does not exist.
     * @throws StoreDeniedError if it is outside the store; StoreUnavailableError if the store's folder is
     * missing and must exist
     */
    async resolve(path: string): Promise<string | undefined> {
      let real: string;
      try {
        real = await realpath(path);
      } catch (error) {
        if (!meansAbsent(error)) throw error;
        if (mustExist) await readRoot();
        return undefined;
      }
      // The root may have moved since it was last resolved.
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
