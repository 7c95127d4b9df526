/** Opens groups as datasets. What it reads is metadata: one document where it is consolidated, else one a member. */
import {
  createPauses,
  type Hierarchy,
  isZarrError,
  LimitError,
  type NodeEntry,
  runInTurns,
  type ZarrArray,
  type ZarrError,
  type ZarrGroup,
} from '../zarr/index.js';
import { namesInAttribute } from './attributes.js';
import { type Dataset, indexOf } from './dataset.js';
import { type GroupMembers, resolveDataset } from './resolve-dataset.js';
import type { Variable } from './variable.js';

/** Nodes of one group that are looked at: a dataset has hundreds of variables, rarely thousands. */
const MAX_MEMBERS = 20_000;
/** Nodes that one array makes us ask for. */
const MAX_NAMES = 100;

/**
 * @param above the dataset of the nearest group above, for the coordinates that are taken over from it
 * @throws MetadataError where it is no dataset; LimitError; what listing and opening throw
 */
export async function openDataset(
  hierarchy: Hierarchy,
  group: ZarrGroup,
  above: Dataset | undefined,
  signal: AbortSignal | undefined,
): Promise<Dataset> {
  const members = await membersOf(hierarchy, group, signal);
  return runInTurns(resolveDataset(group, members, above === undefined ? [] : indexesOf(above)));
}

/**
 * As much of a dataset as some names show, for stores that cannot be listed.
 * @param names of arrays in the group; those that are not there are left out
 * @throws as openDataset
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
  return runInTurns(
    resolveDataset(group, { arrays, groups: [] }, above === undefined ? [] : indexesOf(above)),
  );
}

/** The names that an array gives of those that belong to it: itself, its dimensions, what its attributes call coordinates. */
export function namesAround({ name, dimensionNames, meta }: ZarrArray): string[] {
  const named = [name, ...dimensionNames, ...namesInAttribute(meta.attributes, 'coordinates')];
  const names = named.filter((one) => one !== null && /^[^./][^/]*$/.test(one));
  return [...new Set(names)].flatMap((one) => one ?? []).slice(0, MAX_NAMES);
}

/** An error of ours in the place of an array; all others go on. */
function passError(error: unknown): ZarrError {
  if (isZarrError(error, 'INVALID_METADATA', 'UNSUPPORTED', 'LIMIT_EXCEEDED')) return error;
  throw error;
}

function indexesOf(dataset: Dataset): Variable[] {
  return [...dataset.sizes.keys()].flatMap((dimension) => indexOf(dataset, dimension) ?? []);
}

async function membersOf(
  hierarchy: Hierarchy,
  group: ZarrGroup,
  signal: AbortSignal | undefined,
): Promise<GroupMembers> {
  const arrays = new Map<string, ZarrArray | ZarrError>();
  const groups: string[] = [];
  const pause = createPauses();
  for await (const entry of hierarchy.walk(group.path, { signal })) {
    // Consolidated metadata gives all entries within one turn of the event loop.
    await pause();
    if (arrays.size + groups.length >= MAX_MEMBERS) throw tooMany(group);
    if (entry.kind === 'group') groups.push(entry.path);
    else {
      const array = openArray(entry);
      if (array !== undefined) arrays.set(entry.name, array);
    }
  }
  return { arrays, groups };
}

/** One array that does not open leaves the others. */
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
    `a dataset may have ${MAX_MEMBERS} arrays and groups; there are more here. Page through them as members of the group`,
    {
      excess: [{ limit: 'members', allowed: MAX_MEMBERS, needed: MAX_MEMBERS + 1 }],
      where: { store: group.home.store.label, path: group.path },
    },
  );
}
