/**
 * Finds out whether libnetcdf wrote an array. In its plain Zarr modes, only the root group of a file shows
 * this, by the attribute `_NCProperties`.
 */
import { isJsonObject, type JsonValue } from '../../core/bytes/json.js';
import { isZarrError } from '../../core/errors.js';
import { ancestorsOf } from '../../format/metadata/paths.js';
import type { NodeDocuments } from '../../format/metadata/resolve-node.js';
import { dependsOnWriter } from '../../format/metadata/v2.js';
import type { ConsolidatedIndex } from './consolidated-index.js';
import type { DocumentReader, DocumentStates } from './documents.js';
import { jsonOf, type StoredDocument } from './stored-document.js';
import { inTurns } from '../../core/turns.js';

/** Maximum number of groups to remember. */
const MAX_KNOWN = 10_000;

/** Remembers groups: use one object for one call, such as a listing. */
export class NetcdfGroups {
  readonly #reader: DocumentReader;
  readonly #signal: AbortSignal | undefined;
  readonly #index: ConsolidatedIndex | undefined;
  readonly #states: DocumentStates | undefined;
  /** Whether a group, or a group above it, has the attribute. */
  readonly #known = new Map<string, boolean>();

  /**
   * @param index consolidated metadata that may describe the groups, in addition to their documents
   * @param states receives the versions of the documents of groups
   */
  constructor(
    reader: DocumentReader,
    signal: AbortSignal | undefined,
    {
      index,
      states,
    }: { readonly index?: ConsolidatedIndex | undefined; readonly states?: DocumentStates } = {},
  ) {
    this.#reader = reader;
    this.#signal = signal;
    this.#index = index;
    this.#states = states;
  }

  /** The documents of a node with `isNetcdf`, if the meaning of the documents depends on it. */
  async complete(prefix: string, documents: NodeDocuments): Promise<NodeDocuments> {
    if (documents.zarrJson !== undefined || !dependsOnWriter(documents.zarray, documents.zattrs))
      return documents;
    return { ...documents, isNetcdf: await this.#contains(prefix) };
  }

  async #contains(prefix: string): Promise<boolean> {
    const above = ancestorsOf(prefix);
    const [parent] = above;
    if (parent === undefined) return false;
    const known = this.#known.get(parent);
    if (known !== undefined) return known;
    const found = (await this.#isDescribed(above)) || (await this.#isStored(above));
    if (this.#known.size < MAX_KNOWN) this.#known.set(parent, found);
    return found;
  }

  async #isDescribed(groups: readonly string[]): Promise<boolean> {
    for (const group of groups) {
      const node = this.#index?.at(group);
      if (node !== undefined && isNetcdfGroup((await inTurns(node.documents())).zattrs)) return true;
    }
    return false;
  }

  async #isStored(groups: readonly string[]): Promise<boolean> {
    const documents = await this.#reader.read(groups, ['.zattrs'], this.#signal, this.#states);
    return documents.some(({ '.zattrs': zattrs }) => isNetcdfGroup(readableJson(zattrs)));
  }
}

/** libnetcdf writes "version=2,netcdf=4.10.1" and similar. */
function isNetcdfGroup(zattrs: JsonValue | undefined): boolean {
  return isJsonObject(zattrs) && typeof zattrs['_NCProperties'] === 'string';
}

/** Attributes of a group that are invalid or may not be read show nothing; the array then has a warning. */
function readableJson(document: StoredDocument | undefined): JsonValue | undefined {
  try {
    return jsonOf(document);
  } catch (error) {
    if (isZarrError(error, 'STORE_UNAVAILABLE') || !isZarrError(error)) throw error;
    return undefined;
  }
}
