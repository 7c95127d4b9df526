/**
 * Finds nodes without metadata documents. Some stores contain only consolidated metadata and chunks. In other
 * stores, every node has documents, and stale consolidated metadata may describe deleted nodes. All these nodes
 * open. Other nodes of the store show which case applies, so that a deleted array is never read as fill values.
 */
import type { ConfirmMissing } from './array.js';
import { MetadataError, NotFoundError } from '../../core/errors.js';
import { nameOf } from '../../format/metadata/paths.js';
import type { KeyStore } from '../../store/store.js';
import type { ConsolidatedIndex } from '../documents/consolidated-index.js';
import type { ConsolidatedLookup } from '../documents/consolidated-lookup.js';
import type { DocumentReader } from '../documents/documents.js';
import { NetcdfGroups } from '../documents/netcdf-groups.js';
import type { NodeSource } from './open-node.js';
import type { DocumentName, StoredDocuments } from '../documents/stored-document.js';
import { inTurns } from '../../core/turns.js';

export interface DescribedSource extends NodeSource {
  /** The group whose consolidated metadata describes the node. */
  readonly holder: string;
}

const arrayNames: readonly DocumentName[] = ['zarr.json', '.zarray'];
/** Number of other arrays to check on each side of a node. */
const BESIDE = 2;

export class DescribedNodes {
  readonly #store: KeyStore;
  readonly #reader: DocumentReader;
  readonly #lookup: ConsolidatedLookup;
  readonly #isTrusting: boolean;

  /** @param isTrusting see `HierarchyOptions.trustConsolidated` */
  constructor(store: KeyStore, reader: DocumentReader, lookup: ConsolidatedLookup, isTrusting: boolean) {
    this.#isTrusting = isTrusting;
    this.#store = store;
    this.#reader = reader;
    this.#lookup = lookup;
  }

  /**
   * The description of a node in consolidated metadata, if its documents are missing.
   * @param own documents of the node, if known; they may include consolidated metadata
   * @returns undefined if no metadata describes it
   * @throws MetadataError for invalid metadata; LimitError for metadata that is too long; store errors
   */
  async find(
    prefix: string,
    own: StoredDocuments | undefined,
    signal: AbortSignal | undefined,
  ): Promise<DescribedSource | undefined> {
    const found = await this.#lookup.describing(prefix, own, signal);
    if (found === undefined) return undefined;
    const { index, node, version } = found;
    this.#lookup.notifyDescribed(index.holder);
    return {
      ...{ prefix, version, holder: index.holder, bytes: node.bytes, consolidated: true, members: version },
      documents: await new NetcdfGroups(this.#reader, signal, { index }).complete(
        prefix,
        await inTurns(node.documents()),
      ),
      confirmMissing: this.confirmMissing(prefix),
      warning: `the array has no metadata document; it is read from the consolidated metadata of "/${index.holder}"`,
    };
  }

  /** Returns the check for absent chunks of an array that was opened from consolidated metadata. */
  confirmMissing(prefix: string): ConfirmMissing {
    return async (signal) => {
      const [own = {}] = await this.#reader.read([prefix], arrayNames, signal);
      if (Object.keys(own).length > 0) return;
      const found = await this.#lookup.describing(prefix, undefined, signal);
      if (found === undefined) throw new NotFoundError('the array no longer exists');
      if (this.#isTrusting || (await this.#isTrusted(found.index, prefix, signal))) return;
      throw new MetadataError(
        'chunks are absent, and the array has no metadata document, ' +
          `only the consolidated metadata of "/${found.index.holder}"; ` +
          'it may have been deleted, so absent chunks are not read as the fill value; ' +
          'if they are to be read, set trustConsolidated for the store (--trust-consolidated)',
      );
    };
  }

  /**
   * Whether the description may be trusted. If the store can be listed, also checks that it contains data of
   * the described nodes, because all nodes may have been deleted.
   */
  async #isTrusted(
    index: ConsolidatedIndex,
    prefix: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (!(await areUsuallyMissing(this.#reader, index, prefix, signal))) return false;
    if (!this.#store.can.list) return true;
    for (const path of [prefix, ...index.sampledArrays])
      if (!(await isEmpty(this.#store, path, signal))) return true;
    return false;
  }
}

/**
 * Whether the arrays in consolidated metadata usually have no documents. Samples other arrays from all of it
 * and near the node. False if there are no other arrays.
 */
export async function areUsuallyMissing(
  reader: DocumentReader,
  index: ConsolidatedIndex,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const parts = prefix.split('/');
  const around = new Set([prefix, parts.slice(0, -1).join('/'), parts[0] ?? '']);
  const beside = [...around].flatMap((path) => (path === '' ? [] : index.arraysBeside(path, BESIDE)));
  const others = new Set([...beside, ...index.sampledArrays]);
  others.delete(prefix);
  if (others.size === 0) return false;
  const documents = await reader.read([...others], arrayNames, signal);
  return documents.every((own) => Object.keys(own).length === 0);
}

/** Whether a path contains no objects except `.zmetadata`. */
export async function isEmpty(
  store: KeyStore,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { keys, folders } = await store.list(prefix, { signal });
  return folders.length === 0 && keys.every((key) => nameOf(key) === '.zmetadata');
}
