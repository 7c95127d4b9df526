/** Opens groups as datasets. What it reads is metadata: one document where it is consolidated, else one a member. */
import {
  type Hierarchy,
  isZarrError,
  LimitError,
  type NodeEntry,
  type ZarrArray,
  type ZarrError,
  type ZarrGroup,
} from '../zarr/index.js';
import { type Dataset, indexOf } from './dataset.js';
import { type GroupMembers, resolveDataset } from './resolve-dataset.js';
import type { Variable } from './variable.js';

/** Nodes of one group that are looked at: a dataset has hundreds of variables, rarely thousands. */
const MAX_MEMBERS = 20_000;

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
  return resolveDataset(group, members, above === undefined ? [] : indexesOf(above));
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
  for await (const entry of hierarchy.walk(group.path, { signal })) {
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
    if (isZarrError(error)) return error;
    throw error;
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
