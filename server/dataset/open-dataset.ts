/**
 * Opens groups as datasets. Reads metadata only: one document if it is consolidated, else those of each
 * member.
 */
import {
  ConflictError,
  createPause,
  type Hierarchy,
  isZarrError,
  LimitError,
  type NodeEntry,
  inTurns,
  type ZarrArray,
  type ZarrError,
  type ZarrGroup,
} from '../zarr/index.js';
import { namesInAttribute } from './attributes.js';
import { type GroupMembers, resolveDataset, type ResolveOptions } from './resolve-dataset.js';
import { type Variable, type Dataset, indexOf } from './variable.js';

/** Maximum number of direct members of a group. Datasets have hundreds of variables, rarely thousands. */
const MAX_MEMBERS = 20_000;
/** Maximum number of nodes to look up for one array. */
const MAX_NAMES = 100;

/**
 * @param above the dataset of the nearest group above, whose coordinates are inherited
 * @throws ConflictError if another writer replaces it meanwhile; MetadataError if the group is not a dataset; LimitError for more than `MAX_MEMBERS` nodes; errors
 * from listing and opening
 */
export async function openDataset(
  hierarchy: Hierarchy,
  group: ZarrGroup,
  above: Dataset | undefined,
  signal: AbortSignal | undefined,
): Promise<Dataset> {
  const key = await hierarchy.membersKey(group, { signal });
  const known = key === undefined ? undefined : datasets.get(group)?.get(key);
  if (known?.above === above && known !== undefined) return known.dataset;
  const members = await readMembers(hierarchy, group, signal);
  const dataset = await resolveMembers(members, above);
  if (key !== undefined) {
    const bytes = sizeOfDataset(dataset, members.bytes) + 2 * key.length;
    hierarchy.chargeCache(group, keep(group, key, { above, dataset, bytes }));
  }
  return dataset;
}

/**
 * Like `openDataset`, with the coordinates of the nearest group above that is a dataset.
 * @throws errors of `openDataset`
 */
export async function openInherited(
  hierarchy: Hierarchy,
  group: ZarrGroup,
  signal: AbortSignal | undefined,
): Promise<Dataset> {
  let above: Dataset | undefined;
  for (const path of pathsAbove(group.path)) {
    const node = await hierarchy.node(path, { signal });
    if (node?.kind !== 'group') continue;
    try {
      above = await openDataset(hierarchy, node, above, signal);
    } catch (error) {
      if (!isZarrError(error, 'INVALID_METADATA')) throw error;
    }
  }
  return openDataset(hierarchy, group, above, signal);
}

/** The paths of all groups above a node, the root first. */
function pathsAbove(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return path === '/' ? [] : ['/', ...names.map((_, i) => `/${names.slice(0, i + 1).join('/')}`)];
}

interface KeptDataset {
  readonly above: Dataset | undefined;
  readonly dataset: Dataset;
  readonly bytes: number;
}

/** Datasets of one group for callers who see different members of it. */
const MAX_VIEWS = 8;

/**
 * The datasets of groups with consolidated metadata, by the key of their members, as long as the object of the group,
 * because opening one with 2,000 variables takes 0.1 s of CPU time.
 */
const datasets = new WeakMap<ZarrGroup, Map<string, KeptDataset>>();

/** @returns the memory of all datasets of the group */
function keep(group: ZarrGroup, key: string, dataset: KeptDataset): number {
  const views = datasets.get(group) ?? new Map<string, KeptDataset>();
  datasets.set(group, views);
  views.delete(key);
  views.set(key, dataset);
  const [oldest] = views.keys();
  if (views.size > MAX_VIEWS && oldest !== undefined) views.delete(oldest);
  return [...views.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Estimated memory of a variable with its array, in bytes, besides its documents. */
const VARIABLE_BYTES = 3 * 2 ** 10;
/** Parsed documents take several times their bytes. */
const BYTES_PER_DOCUMENT_BYTE = 4;

/** @param bytes total size of the documents of the members */
function sizeOfDataset({ variables }: Dataset, bytes: number): number {
  return VARIABLE_BYTES * (1 + variables.size) + BYTES_PER_DOCUMENT_BYTE * bytes;
}

/** The dataset of a group whose members have been read. @throws MetadataError if the group is not a dataset */
export function resolveMembers(
  { group, members }: StableGroup,
  above: Dataset | undefined,
  options?: ResolveOptions,
): Promise<Dataset> {
  return inTurns(resolveDataset(group, members, above === undefined ? [] : indexesOf(above), options));
}

/** A group and its members, which belong to one state of the store. */
export interface StableGroup {
  readonly group: ZarrGroup;
  readonly members: GroupMembers;
  /** Total size of the documents of the members, in bytes. */
  readonly bytes: number;
}

/**
 * Reads the members of a group that did not change meanwhile. If another writer replaced the group or a member,
 * members may be missing, so everything is read again, once.
 * @throws ConflictError if the group was deleted, or changed again
 */
export async function readMembers(
  hierarchy: Hierarchy,
  opened: ZarrGroup,
  signal: AbortSignal | undefined,
): Promise<StableGroup> {
  const first = await membersOf(hierarchy, opened, signal);
  // Consolidated metadata is a single document, so it lists the members of one state.
  if (opened.consolidated) return { group: opened, members: first, bytes: first.bytes };
  const group = await confirmed(hierarchy, opened, signal);
  // A listed folder without metadata is a node that is being replaced, or just a folder.
  if (group.version === opened.version && first.withoutNode.length === 0)
    return { group, members: first, bytes: first.bytes };
  const members = await membersOf(hierarchy, group, signal);
  const last = await confirmed(hierarchy, group, signal);
  const before = new Set(first.withoutNode);
  const isStable = last.version === group.version && members.withoutNode.every((path) => before.has(path));
  if (!isStable) throw changedMeanwhile(opened);
  return { group, members, bytes: members.bytes };
}

/** The group as it is now. */
async function confirmed(
  hierarchy: Hierarchy,
  group: ZarrGroup,
  signal: AbortSignal | undefined,
): Promise<ZarrGroup> {
  const now = await hierarchy.node(group.path, { signal });
  if (now?.kind !== 'group') throw changedMeanwhile(group);
  return now;
}

function changedMeanwhile(group: ZarrGroup): ConflictError {
  return new ConflictError(
    'the group or one of its members was deleted, replaced or changed while it was opened; try again',
    { where: { store: group.context.store.label, path: group.path } },
  );
}

/**
 * Opens the part of a dataset that the given names cover, for stores that cannot be listed.
 * @param names names of arrays in the group; missing ones are skipped
 * @throws errors from `openDataset`
 */
export async function openNamed(
  hierarchy: Hierarchy,
  group: ZarrGroup,
  names: readonly string[],
  above: Dataset | undefined,
  signal: AbortSignal | undefined,
): Promise<Dataset> {
  const arrays = new Map<string, ZarrArray | ZarrError>();
  const folder = group.path === '/' ? '' : group.path;
  await Promise.all(
    names.map(async (name) => {
      const node = await hierarchy.node(`${folder}/${name}`, { signal }).catch(passError);
      if (node instanceof Error || node?.kind === 'array') arrays.set(name, node);
    }),
  );
  return inTurns(resolveDataset(group, { arrays, groups: [] }, above === undefined ? [] : indexesOf(above)));
}

/**
 * The names of the arrays that belong to an array, at most `MAX_NAMES`: itself, its dimensions, and those in
 * its attribute `coordinates`.
 */
export function namesAround({ name, dimensionNames, meta }: ZarrArray): string[] {
  const named = [name, ...dimensionNames, ...namesInAttribute(meta.attributes, 'coordinates')];
  const names = named.filter((candidate) => candidate !== null && /^[^./][^/]*$/.test(candidate));
  return [...new Set(names)].flatMap((candidate) => candidate ?? []).slice(0, MAX_NAMES);
}

/** Returns errors about the metadata or the name of a node as values, and rethrows all others. */
function passError(error: unknown): ZarrError {
  if (isZarrError(error, 'INVALID_METADATA', 'UNSUPPORTED', 'LIMIT_EXCEEDED', 'BAD_INPUT')) return error;
  throw error;
}

function indexesOf(dataset: Dataset): Variable[] {
  return [...dataset.sizes.keys()].flatMap((dimension) => indexOf(dataset, dimension) ?? []);
}

interface ListedMembers extends GroupMembers {
  /** Folders without metadata. */
  readonly withoutNode: readonly string[];
  readonly bytes: number;
}

async function membersOf(
  hierarchy: Hierarchy,
  group: ZarrGroup,
  signal: AbortSignal | undefined,
): Promise<ListedMembers> {
  const withoutNode: string[] = [];
  let bytes = 0;
  const arrays = new Map<string, ZarrArray | ZarrError>();
  const groups: string[] = [];
  const pause = createPause();
  for await (const entry of hierarchy.walk(group.path, {
    signal,
    complete: true,
    withoutNode: (path) => void withoutNode.push(path),
  })) {
    // Yields, because consolidated metadata returns all entries without I/O.
    await pause();
    if (arrays.size + groups.length >= MAX_MEMBERS) throw tooMany(group);
    bytes += entry.bytes;
    if (entry.kind === 'group') groups.push(entry.path);
    else {
      const array = openArray(entry);
      if (array !== undefined) arrays.set(entry.name, array);
    }
  }
  return { arrays, groups, withoutNode, bytes };
}

/** An array that cannot be opened does not affect the others. */
function openArray(entry: NodeEntry): ZarrArray | ZarrError | undefined {
  try {
    const node = entry.open();
    return node.kind === 'array' ? node : undefined;
  } catch (error) {
    return passError(error);
  }
}

function tooMany(group: ZarrGroup): LimitError {
  return new LimitError(
    `the group has too many members for a dataset; at most ${MAX_MEMBERS} arrays and groups are allowed; list the members page by page`,
    {
      excess: [{ limit: 'members', allowed: MAX_MEMBERS, needed: MAX_MEMBERS + 1 }],
      where: { store: group.context.store.label, path: group.path },
    },
  );
}
