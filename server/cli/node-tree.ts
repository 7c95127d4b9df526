/** Walks the nodes below a group, depth first. */
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
  /** The opened node, or the error of its metadata. */
  readonly node: ZarrArray | ZarrGroup | ZarrError;
  /** For each level below the top: whether the ancestor on it is the last child. Empty for the top. */
  readonly last: readonly boolean[];
}

export interface NodeTreeOptions {
  /** Maximum number of levels below the top. */
  readonly depth: number;
  /** Whether to ignore consolidated metadata. */
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
  // The output is delayed by one node: whether a node is the last of its group is known only when the next one arrives.
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
  if (kind !== 'group' || depth <= 1) return;
  try {
    yield* below(hierarchy, path, { ...options, depth: depth - 1 }, last);
  } catch (error) {
    // The store cannot be listed, and the attributes of its groups name this group, but nothing below it.
    if (hierarchy.store.can.list || !isZarrError(error, 'UNSUPPORTED')) throw error;
  }
}

function openEntry(entry: NodeEntry): ZarrArray | ZarrGroup | ZarrError {
  try {
    return entry.open();
  } catch (error) {
    if (isZarrError(error)) return error;
    throw error;
  }
}
