/** The history of a store: its snapshots, their names and their differences. */
import {
  type ChangedChunks,
  InputError,
  isZarrError,
  LimitError,
  NotFoundError,
  type SnapshotInfo,
  UnsupportedError,
  type VersionRef,
} from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { NodeDiff, Snapshot, SnapshotDiff, StoreVersion, StoreVersions } from '../generated/types.js';
import type { StoreHistory, StoreModel } from '../models.js';
import { regionOf } from '../nodes/chunk-region.js';
import { checkCount } from '../nodes/paging.js';

/** Maximum number of nodes of a difference. */
const MAX_NODES = 10_000;
/** Number of nodes that are opened together. */
const TOGETHER = 16;

/** @throws UnsupportedError for a store without a history */
function historyOf({ history, name }: StoreModel): StoreHistory {
  if (history !== undefined) return history;
  throw new UnsupportedError(
    'the store keeps no history; only Icechunk repositories have snapshots, branches and tags',
    { where: { store: name } },
  );
}

/**
 * The store at a version.
 * @throws UnsupportedError for a store without a history; NotFoundError if the version does not exist; InputError
 */
export async function storeAt(
  name: string,
  version: StoreVersion,
  context: GatewayContext,
): Promise<StoreModel> {
  const store = context.store(name);
  return historyOf(store).at(await snapshotIdOf(store, version, context));
}

/** The snapshot that a version names now. @throws errors of `storeAt` */
export async function snapshotIdOf(
  store: StoreModel,
  version: StoreVersion,
  context: GatewayContext,
): Promise<string> {
  const history = historyOf(store);
  const { signal } = context;
  const { time } = version;
  if (typeof time !== 'string') return history.resolve(refOf(version), { signal });
  const limit = timeOf(time);
  const newest = await shownId(context.store(store.name), context);
  const [found] = await history.history({ snapshot: newest, first: 1, notAfterMs: limit }, { signal });
  if (found === undefined)
    throw new NotFoundError('the store has no snapshot of that time or before', {
      where: { store: store.name },
    });
  return found.id;
}

function refOf({ branch, tag, snapshot }: StoreVersion): VersionRef {
  if (typeof branch === 'string') return { branch };
  if (typeof tag === 'string') return { tag };
  if (typeof snapshot === 'string') return { snapshot };
  throw new InputError('a version must be a branch, a tag, a snapshot or a time');
}

/** Milliseconds since 1970. Text without an offset is UTC. */
function timeOf(text: string): number {
  const [, date, rest = ''] = /^(\d{4}-\d{2}-\d{2})(?:T(.+))?$/.exec(text) ?? [];
  const isOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(rest);
  const time = Date.parse(date === undefined ? '' : rest === '' || isOffset ? text : `${text}Z`);
  if (Number.isNaN(time))
    throw new InputError(
      `${JSON.stringify(text.slice(0, 40))} is not a time; write it as 2026-03-01 or 2026-03-01T12:00:00Z`,
    );
  return time;
}

/** The snapshot that a model shows: the same for all fields of a request. @throws errors from the store */
async function shownId(store: StoreModel, context: GatewayContext): Promise<string> {
  if (store.snapshot !== undefined) return store.snapshot;
  const { snapshot } = await context.pinned(store.name);
  return snapshot ?? historyOf(store).resolve(undefined, { signal: context.signal });
}

export async function shownSnapshot(
  store: StoreModel,
  _: unknown,
  context: GatewayContext,
): Promise<Snapshot | null> {
  if (store.history === undefined) return null;
  const { signal } = context;
  const snapshot = await shownId(store, context);
  const [shown] = await store.history.history({ snapshot, first: 1 }, { signal });
  return shown === undefined ? null : snapshotModel(shown, store, context);
}

export async function versionNames(
  store: StoreModel,
  _: unknown,
  { signal }: GatewayContext,
): Promise<StoreVersions> {
  const history = historyOf(store);
  const [branches, tags] = await Promise.all([history.branches({ signal }), history.tags({ signal })]);
  return { branches: branches.toSorted(), tags: tags.toSorted() };
}

export async function snapshotsBefore(
  store: StoreModel,
  { first, after }: { readonly first: number; readonly after?: string | null | undefined },
  context: GatewayContext,
): Promise<readonly Snapshot[]> {
  checkCount('first', first, context.gateway.limits);
  const history = historyOf(store);
  const snapshot = await shownId(store, context);
  const { signal } = context;
  const found = await history.history({ snapshot, first, after: after ?? undefined }, { signal });
  return found.map((each) => snapshotModel(each, store, context));
}

function snapshotModel(
  { id, writtenAt, message, parent }: SnapshotInfo,
  { name }: StoreModel,
  { rights }: GatewayContext,
): Snapshot {
  // Messages may name nodes that the caller may not see.
  const isShown = rights.mayRead(name, '/');
  return { id, writtenAt, message: isShown ? message : null, parent: parent ?? null };
}

export async function snapshotDiff(
  store: StoreModel,
  { from, to }: { readonly from: StoreVersion; readonly to?: StoreVersion | null | undefined },
  context: GatewayContext,
): Promise<SnapshotDiff> {
  const history = historyOf(store);
  const older = await snapshotIdOf(store, from, context);
  const newer = to ? await snapshotIdOf(store, to, context) : await shownId(store, context);
  if (older === newer) return { added: [], removed: [], changed: [], moved: [] };
  const diff = await history.diff(older, newer, { signal: context.signal });
  const visible = (path: string): boolean => context.rights.mayRead(store.name, path);
  const updated = new Set([...diff.updatedGroups, ...diff.updatedArrays]);
  const chunks = new Map(diff.updatedChunks.map((each) => [each.path, each]));
  // A new array has new chunks only.
  for (const path of diff.newArrays) chunks.delete(path);
  const changed = sorted([...updated, ...chunks.keys()], visible);
  // A node that moved out of what the caller sees is removed, one that moved into it is new.
  const moved = diff.movedNodes.filter(({ from, to }) => visible(from) && visible(to));
  const entered = diff.movedNodes.filter(({ from }) => !visible(from)).map(({ to }) => to);
  const left = diff.movedNodes.filter(({ to }) => !visible(to)).map(({ from }) => from);
  const added = sorted([...diff.newGroups, ...diff.newArrays, ...entered], visible);
  const removed = sorted([...diff.deletedGroups, ...diff.deletedArrays, ...left], visible);
  checkNodes(Math.max(changed.length, added.length, removed.length, moved.length));
  // Of changed arrays, the metadata are read.
  context.budget.chargeListedNodes(changed.length);
  const model = history.at(newer);
  const nodes: NodeDiff[] = [];
  for (let start = 0; start < changed.length; start += TOGETHER) {
    const some = changed.slice(start, start + TOGETHER);
    nodes.push(...(await Promise.all(some.map((path) => nodeDiff(model, path, updated.has(path), chunks.get(path)))))); // prettier-ignore
  }
  return {
    added,
    removed,
    changed: nodes,
    moved: moved.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
  };
}

function sorted(paths: readonly string[], visible: (path: string) => boolean): string[] {
  return [...new Set(paths)].filter(visible).toSorted();
}

/** @throws LimitError for a difference of too many nodes */
function checkNodes(needed: number): void {
  if (needed > MAX_NODES)
    throw new LimitError(`the difference has ${needed} nodes; at most ${MAX_NODES} are returned`, {
      excess: [{ limit: 'nodes', allowed: MAX_NODES, needed }],
    });
}

async function nodeDiff(
  store: StoreModel,
  path: string,
  metadata: boolean,
  chunks: ChangedChunks | undefined,
): Promise<NodeDiff> {
  if (chunks === undefined) return { path, metadata, chunks: 0, region: null };
  const { count, first, last } = chunks;
  try {
    return { path, metadata, chunks: count, region: (await regionOf(store, path, first, last)) ?? null };
  } catch (error) {
    // The array cannot be opened in the newer snapshot.
    if (!isZarrError(error)) throw error;
    return { path, metadata, chunks: count, region: null };
  }
}
