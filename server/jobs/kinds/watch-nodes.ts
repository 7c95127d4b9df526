/** The versions of the nodes that a job reads, to find out whether their metadata has changed since it was planned. */
import { type CallOptions, ConflictError, type LazySlice } from '../../zarr/index.js';
import type { JobStore } from '../stores.js';

/** Number of nodes that are looked at together. */
const WIDTH = 16;

export interface WatchedNodes {
  /** @throws ConflictError if the node does not exist any more */
  add(path: string, signal: AbortSignal | undefined): Promise<void>;
  addAll(paths: Iterable<string>, signal: AbortSignal | undefined): Promise<void>;
  /** The versions, in the order of the paths. Undefined without versions. */
  versions(): readonly (readonly [path: string, version: string | undefined])[];
  isCurrent(options: CallOptions): Promise<boolean>;
}

export function watchNodes({ hierarchy, isFixed, name }: JobStore): WatchedNodes {
  const known = new Map<string, string | undefined>();
  async function each(paths: readonly string[], look: (path: string) => Promise<void>): Promise<void> {
    const left = paths.values();
    const work = async (): Promise<void> => {
      for (const path of left) await look(path);
    };
    await Promise.all(Array.from({ length: Math.min(WIDTH, paths.length) }, work));
  }
  const versionOf = (path: string, signal: AbortSignal | undefined): Promise<string | undefined> =>
    hierarchy.versionOf(path, { signal });
  const watch: WatchedNodes = {
    async add(path, signal) {
      // The name of a snapshot is its version.
      if (!known.has(path)) known.set(path, isFixed === true ? name : await versionOf(path, signal));
    },
    addAll: (paths, signal) => each([...new Set(paths)], (path) => watch.add(path, signal)),
    versions: () => [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    async isCurrent({ signal }) {
      if (isFixed === true) return true;
      let isSame = true;
      await each([...known.keys()], async (path) => {
        if (isSame && (await versionOf(path, signal)) !== known.get(path)) isSame = false;
      });
      return isSame;
    },
  };
  return watch;
}

/** The arrays whose values a slice reads. */
export function arraysOf({ inputs }: LazySlice): readonly string[] {
  return [...new Set(inputs.map(({ array }) => array.path))];
}

export function changedSource(name: string, path: string): ConflictError {
  return new ConflictError(
    'the source changed while it was copied, so that the copy would mix two states; start the job again',
    {
      where: { store: name, path },
    },
  );
}
