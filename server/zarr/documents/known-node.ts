/** The nodes of a listing, before they are opened. */
import { isZarrError } from '../../core/errors.js';
import type { NodeDocuments } from '../../format/metadata/resolve-node.js';
import type { NetcdfGroups } from './netcdf-groups.js';
import { documentBytes, parsedDocuments, nodeVersion } from './stored-document.js';
import type { FoundNode } from './walk-store.js';

/** A node whose documents have been read. */
export interface KnownNode {
  readonly prefix: string;
  readonly kind: 'group' | 'array';
  readonly bytes: number;
  readonly version: string | undefined;
  /** Whether the meaning of the documents may depend on the parent groups. */
  readonly mayDependOnWriter: boolean;
  readonly documents: () => NodeDocuments;
}

/** Adds what the parent groups show about an array. */
export async function completedNode(node: KnownNode, groups: NetcdfGroups): Promise<KnownNode> {
  const documents = node.kind === 'array' && node.mayDependOnWriter ? readableDocuments(node) : undefined;
  if (documents === undefined) return node;
  const { isNetcdf } = await groups.complete(node.prefix, documents);
  return isNetcdf === true ? { ...node, documents: () => ({ ...node.documents(), isNetcdf }) } : node;
}

/** @returns undefined for documents with an error; opening the node throws it */
function readableDocuments(node: KnownNode): NodeDocuments | undefined {
  try {
    return node.documents();
  } catch (error) {
    if (!isZarrError(error)) throw error;
    return undefined;
  }
}

export function knownNode({ prefix, kind, documents }: FoundNode): KnownNode {
  return {
    ...{ prefix, kind, bytes: documentBytes(documents), version: nodeVersion(documents) },
    mayDependOnWriter: documents['zarr.json'] === undefined,
    documents: () => parsedDocuments(documents),
  };
}
