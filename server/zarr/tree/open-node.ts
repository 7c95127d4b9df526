/** Documents to handles, remembered: as long as a node's documents are of the same version, its handle is the same. */
import { LRUCache } from 'lru-cache';
import { ZarrArray, type ConfirmMissing } from '../array.js';
import { ZarrGroup } from '../group.js';
import type { AnyMeta } from '../metadata/model.js';
import { resolveNode, type NodeDocuments } from '../metadata/resolve-node.js';
import { assertUnreservedNames } from '../metadata/paths.js';
import type { NodeHome } from '../node-home.js';

/** A node's documents and where they come from. */
export interface NodeSource {
  /** "" for the root, else "a/b". */
  readonly prefix: string;
  readonly documents: NodeDocuments;
  /** Of the documents in the store, all of them that count. */
  readonly version: string | undefined;
  /** Of the texts of the documents together. */
  readonly bytes: number;
  /** Consolidated metadata tells what lies below. */
  readonly consolidated: boolean;
  /** Asked before missing chunks count as the fill value: for documents that others than the node itself hold. */
  readonly confirmMissing?: ConfirmMissing | undefined;
  /** Said of an array beside what its metadata give reason to. */
  readonly warning?: string | undefined;
}

interface Opened {
  readonly source: NodeSource;
  readonly node: ZarrArray | ZarrGroup;
}

/** Handles that are kept, and what they may take: some kilobytes each, and the documents. */
export const keptNodes = {
  max: 10_000,
  maxSize: 64 * 2 ** 20,
  sizeOf: (bytes: number): number => 2048 + 4 * bytes,
} as const;

export class NodeOpener {
  readonly #home: NodeHome;
  readonly #opened = new LRUCache<string, Opened>({
    max: keptNodes.max,
    maxSize: keptNodes.maxSize,
    sizeCalculation: ({ source }) => keptNodes.sizeOf(source.bytes),
  });

  constructor(home: NodeHome) {
    this.#home = home;
  }

  /** @returns undefined where the documents make no node. @throws MetadataError, UnsupportedError; InputError for a reserved name */
  open(source: NodeSource): ZarrArray | ZarrGroup | undefined {
    // What a listing knows of a node has no version: it must not push out what the node itself says.
    const key = `${source.version === undefined ? 'listed' : 'read'} ${source.prefix}`;
    const known = this.#opened.get(key);
    if (known !== undefined && sameSource(known.source, source)) return known.node;
    const resolved = resolveNode(source.documents, this.#home.registry, this.#home.reading);
    if (resolved === undefined) return undefined;
    const meta = withWarning(resolved, source.warning);
    assertUnreservedNames(source.prefix, meta.zarrFormat);
    const path = `/${source.prefix}`;
    const node =
      meta.kind === 'array'
        ? new ZarrArray(this.#home, path, meta, source.version, source.confirmMissing)
        : new ZarrGroup(this.#home, path, meta, source.version, source.consolidated);
    this.#opened.set(key, { source, node });
    if (resolved.kind === 'array') for (const warning of resolved.warnings) this.#home.warn?.(path, warning);
    return node;
  }
}

function withWarning(meta: AnyMeta, warning: string | undefined): AnyMeta {
  if (warning === undefined || meta.kind !== 'array') return meta;
  return { ...meta, warnings: [...meta.warnings, warning] };
}

function sameSource(a: NodeSource, b: NodeSource): boolean {
  if (a.version !== undefined && a.version === b.version) return a.consolidated === b.consolidated;
  const keys = ['zarrJson', 'zarray', 'zgroup', 'zattrs', 'meta', 'attrs'] as const;
  return (
    a.version === b.version &&
    a.consolidated === b.consolidated &&
    keys.every((key) => a.documents[key] === b.documents[key])
  );
}
