import { isZarrqlError, type NodeSummary } from 'zarrql-client';
import { client } from './client.js';

/**
 * The root node. Undefined for a store without metadata at its root, which is empty or has nodes only in subfolders.
 */
async function rootOf(store: string, signal: AbortSignal): Promise<NodeSummary | undefined> {
  try {
    return await client.store(store).node('/', { signal });
  } catch (error) {
    if (isZarrqlError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

interface Members {
  readonly nodes: readonly NodeSummary[];
  readonly hasMore: boolean;
}

/** The first members of a group. The root of a store may be an array. */
export async function listMembers(
  store: string,
  path: string,
  count: number,
  signal: AbortSignal,
): Promise<Members> {
  const handle = client.store(store);
  if (path === '/') {
    const root = await rootOf(store, signal);
    if (root === undefined) return { nodes: [], hasMore: false };
    if (root.kind === 'ARRAY') return { nodes: [root], hasMore: false };
  }
  const nodes: NodeSummary[] = [];
  for await (const node of handle.group(path).members({ signal, onError() {} })) {
    if (nodes.length === count) return { nodes, hasMore: true };
    nodes.push(node);
  }
  return { nodes, hasMore: false };
}
