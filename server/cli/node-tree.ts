/** The nodes below a group, one after the other as a tree is drawn: each with all that lies below it. */
import {
  type Hierarchy,
  isZarrError,
  type NodeEntry,
  type ZarrArray,
  type ZarrGroup,
  type ZarrError,
} from '../zarr/index.js';

export interface TreeNode {
  readonly path: string;
  readonly name: string;
  readonly kind: 'array' | 'group';
  /** What its metadata make of it, or what is wrong with them. */
  readonly node: ZarrArray | ZarrGroup | ZarrError;
  /** For each level below the top: whether it is the last one there. Empty for the top itself. */
  readonly last: readonly boolean[];
}

/** @param depth levels below the top that are wanted */
export async function* nodeTree(
  hierarchy: Hierarchy,
  top: ZarrArray | ZarrGroup,
  depth: number,
): AsyncGenerator<TreeNode> {
  const { path, name, kind } = top;
  yield { path, name, kind, node: top, last: [] };
  if (kind === 'group' && depth > 0) yield* below(hierarchy, path, depth, []);
}

async function* below(
  hierarchy: Hierarchy,
  path: string,
  depth: number,
  above: readonly boolean[],
): AsyncGenerator<TreeNode> {
  let before: NodeEntry | undefined;
  // One late: whether a node is the last of its group shows when there is no other.
  for await (const entry of hierarchy.walk(path)) {
    if (before !== undefined) yield* entryTree(hierarchy, before, depth, [...above, false]);
    before = entry;
  }
  if (before !== undefined) yield* entryTree(hierarchy, before, depth, [...above, true]);
}

async function* entryTree(
  hierarchy: Hierarchy,
  entry: NodeEntry,
  depth: number,
  last: readonly boolean[],
): AsyncGenerator<TreeNode> {
  const { path, name, kind } = entry;
  yield { path, name, kind, node: openEntry(entry), last };
  if (kind === 'group' && depth > 1) yield* below(hierarchy, path, depth - 1, last);
}

function openEntry(entry: NodeEntry): ZarrArray | ZarrGroup | ZarrError {
  try {
    return entry.open();
  } catch (error) {
    if (isZarrError(error)) return error;
    throw error;
  }
}
