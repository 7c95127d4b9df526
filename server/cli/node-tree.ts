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

export interface NodeTreeOptions {
  /** Levels below the top that are wanted. */
  readonly depth: number;
  /** Whether consolidated metadata is passed over. */
  readonly refresh: boolean;
}

export async function* nodeTree(
  hierarchy: Hierarchy,
  top: ZarrArray | ZarrGroup,
  options: NodeTreeOptions,
): AsyncGenerator<TreeNode> {
  const { path, name, kind } = top;
  yield { path, name, kind, node: top, last: [] };
  if (kind === 'group' && options.depth > 0) yield* below(hierarchy, path, options, []);
}

async function* below(
  hierarchy: Hierarchy,
  path: string,
  options: NodeTreeOptions,
  above: readonly boolean[],
): AsyncGenerator<TreeNode> {
  let before: NodeEntry | undefined;
  // One late: whether a node is the last of its group shows when there is no other.
  for await (const entry of hierarchy.walk(path, { refresh: options.refresh })) {
    if (before !== undefined) yield* entryTree(hierarchy, before, options, [...above, false]);
    before = entry;
  }
  if (before !== undefined) yield* entryTree(hierarchy, before, options, [...above, true]);
}

async function* entryTree(
  hierarchy: Hierarchy,
  entry: NodeEntry,
  options: NodeTreeOptions,
  last: readonly boolean[],
): AsyncGenerator<TreeNode> {
  const { path, name, kind } = entry;
  yield { path, name, kind, node: openEntry(entry), last };
  const { depth } = options;
  if (kind === 'group' && depth > 1) yield* below(hierarchy, path, { ...options, depth: depth - 1 }, last);
}

function openEntry(entry: NodeEntry): ZarrArray | ZarrGroup | ZarrError {
  try {
    return entry.open();
  } catch (error) {
    if (isZarrError(error)) return error;
    throw error;
  }
}
