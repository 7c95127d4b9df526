/** How every change of a node ends: consolidated metadata above it is kept right, and whoever listens is told. */
import type { NodeHome, StoredChange } from '../node-home.js';
import { updateConsolidated, type NodeChange } from './update-consolidated.js';

/** `kind` is what is told of it; undefined for nothing, where another change says it all. */
export interface SettledChange extends NodeChange {
  readonly kind: StoredChange['kind'] | undefined;
}

/** Told also where the consolidated metadata cannot be written: the nodes have changed by then. */
export async function settleChanges(
  home: NodeHome,
  changes: readonly SettledChange[],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    if (changes.length > 0) await updateConsolidated(home, changes, signal);
  } finally {
    tellChanges(home, changes);
  }
}

export function tellChanges(home: NodeHome, changes: readonly SettledChange[]): void {
  for (const { prefix, kind } of changes)
    if (kind !== undefined) home.changed?.({ kind, path: `/${prefix}` });
}
