/** Deletes a node and everything below it. */
import { NotFoundError } from '../../core/errors.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { joinKey } from '../../store/keys.js';
import { retryConflicts, SettledConflictError } from '../../chunks/write/retry-conflicts.js';
import { notifyChanges, settled } from './settle-changes.js';
import {
  type ChangeOptions,
  holdNode,
  isDocumentName,
  readStoredNode,
  type StoredNode,
} from './stored-node.js';
import { assertWritable, versionConflict } from '../../chunks/write/write-region.js';

export interface DeleteOptions extends ChangeOptions {
  /** Whether to delete groups with members. @default false */
  readonly recursive?: boolean | undefined;
}

/**
 * @throws ReadOnlyError; NotFoundError; ConflictError for a group that is not empty, or for another version
 */
export async function deleteNode(
  context: NodeContext,
  prefix: string,
  options: DeleteOptions,
): Promise<void> {
  assertWritable(context.store);
  const { signal } = options;
  await settled(context, prefix, (begin) =>
    holdNode(context, prefix, () =>
      retryConflicts(signal, async () => {
        const node = await readStoredNode(context, prefix, signal);
        if (node.kind === undefined) throw new NotFoundError('no node at this path');
        if (options.ifVersion !== undefined && node.version !== options.ifVersion)
          throw versionConflict(node.version);
        if (node.kind === 'group' && options.recursive !== true)
          await assertNoMembers(context, prefix, signal);
        await begin([{ prefix, isDeep: true }]);
        if (options.ifVersion !== undefined) await deleteIfUnchanged(context, node, signal);
        await context.store.deletePrefix(prefix, { signal });
      }),
    ),
  );
  notifyChanges(context, [{ prefix, kind: 'deleted' }]);
}

async function assertNoMembers(
  context: NodeContext,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { keys, folders } = await context.store.list(prefix, { signal });
  const other = [...folders, ...keys.map((key) => key.slice(key.lastIndexOf('/') + 1))].filter(
    (name) => !isDocumentName(name),
  );
  if (other.length === 0) return;
  throw new SettledConflictError(
    `the group is not empty: it has ${other.slice(0, 3).map((name) => JSON.stringify(name)).join(', ')}${other.length > 3 ? ' and more' : ''}; delete it recursively`,
  ); // prettier-ignore
}

/** First deletes the document that defines the node, only if it is unchanged. */
async function deleteIfUnchanged(
  context: NodeContext,
  node: StoredNode,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const name of ['zarr.json', '.zarray', '.zgroup', 'meta'] as const) {
    const version = node.stored[name]?.version;
    if (version === undefined) continue;
    await context.store.delete([joinKey(node.prefix, name)], { ifMatch: version }, { signal });
    return;
  }
}
