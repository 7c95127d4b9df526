/** Creates the nodes of a job's destination, the root first, so that its record exists before anything below it. */
import type { CallOptions, Hierarchy, JsonObject } from '../../zarr/index.js';
import type { ArrayTarget } from '../target.js';

export interface GroupTarget {
  readonly path: string;
  readonly format: 2 | 3;
  readonly attributes: JsonObject;
}

export interface CreatedNodes {
  readonly root: string;
  readonly groups: readonly GroupTarget[];
  readonly arrays: readonly ArrayTarget[];
}

export interface CreateNodesOptions extends CallOptions {
  /** Whether nodes of an earlier attempt are kept. */
  readonly isResumed: boolean;
  /** Attributes of the root, in addition to its own. */
  readonly record: JsonObject;
  /** Whether what exists at the root is deleted. */
  readonly replaces: boolean;
}

/** @throws errors from `Hierarchy.createArray` and `createGroup` */
export async function createNodes(
  hierarchy: Hierarchy,
  { root, groups, arrays }: CreatedNodes,
  { isResumed, record, replaces, signal }: CreateNodesOptions,
): Promise<void> {
  const ifExists = (path: string): 'keep' | 'replace' | 'error' =>
    isResumed ? 'keep' : path === root && replaces ? 'replace' : 'error';
  const withRecord = (path: string, attributes: JsonObject = {}): JsonObject =>
    path === root ? { ...attributes, ...record } : attributes;
  for (const { path, format, attributes } of groups)
    await hierarchy.createGroup(path, {
      attributes: withRecord(path, attributes),
      zarrFormat: format,
      ifExists: ifExists(path),
      signal,
    });
  for (const { path, format, request } of arrays)
    await hierarchy.createArray(
      path,
      { ...request, attributes: withRecord(path, request.attributes) },
      { zarrFormat: format, ifExists: ifExists(path), signal },
    );
}
