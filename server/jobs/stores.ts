/** The stores of jobs: opened by name, with the rights of the caller who started the job. */
import { type BeginOptions, type Hierarchy, InputError, parseNodePath } from '../zarr/index.js';
import type { JobPlace } from './job.js';

/** Changes of a store that keeps its history, which are committed together. */
export interface JobChanges {
  readonly hierarchy: Hierarchy;
  /** @returns the snapshot; undefined if nothing was changed. @throws ConflictError; store errors */
  commit(message: string): Promise<string | undefined>;
  discard(): Promise<void>;
}

export interface JobStore {
  /** Configured name. */
  readonly name: string;
  /** Restricted to the nodes that the caller may read. */
  readonly hierarchy: Hierarchy;
  /** Where the root is, without links and aliases: an absolute path or a URL; undefined if it is unknown. */
  readonly location?: string | undefined;
  /** Whether the hierarchy never changes: a snapshot. */
  readonly isFixed?: boolean | undefined;
  /** Set for writable stores that keep their history. */
  readonly begin?: ((options: BeginOptions) => Promise<JobChanges>) | undefined;
}

export interface JobStores {
  /**
   * A store to read from. Stores that keep their history are shown at their current snapshot.
   * @throws NotFoundError without the right to read it
   */
  source(name: string, signal?: AbortSignal): Promise<JobStore>;
  /** A store to write to. @throws NotFoundError; ForbiddenError without the right to write to the path; ReadOnlyError */
  destination(place: JobPlace, signal?: AbortSignal): Promise<JobStore>;
}

/**
 * Rejects destinations that contain their source, or are inside of it.
 * @throws InputError
 */
export function assertApart(
  source: { readonly store: JobStore; readonly path: string },
  destination: { readonly store: JobStore; readonly path: string },
): void {
  const [from, to] = [placeOf(source), placeOf(destination)];
  if (from === undefined || to === undefined) return;
  if (from !== to && !from.startsWith(`${to}/`) && !to.startsWith(`${from}/`)) return;
  const relation = from === to ? 'is the source' : from.startsWith(`${to}/`) ? 'contains the source' : 'is inside the source'; // prettier-ignore
  throw new InputError(`the destination ${relation}; choose another path`, {
    where: { store: destination.store.name, path: destination.path },
  });
}

/** The place of a node. Stores without a known location are compared by name. */
function placeOf({ store, path }: { readonly store: JobStore; readonly path: string }): string | undefined {
  const root = (store.location ?? `store:${baseOf(store.name)}`).replace(/\/+$/, '');
  const canonical = parseNodePath(path);
  return canonical === '/' ? root : root + canonical;
}

/** The name of a store without that of its snapshot. */
function baseOf(name: string): string {
  const at = name.indexOf('@');
  return at < 0 ? name : name.slice(0, at);
}
