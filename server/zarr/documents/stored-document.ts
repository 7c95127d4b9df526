/** Stored metadata documents, either parsed or with the reason why parsing failed. */
import { bytesFromLatin1, latin1FromBytes } from '#platform';
import { isJsonObject, type JsonValue } from '../../core/bytes/json.js';
import {
  documentKeys,
  isDocumentKey,
  nodeKindOf,
  type NodeDocuments,
} from '../../format/metadata/resolve-node.js';
import type { ReadRequest } from '../../store/store.js';
import type { ConsolidatedDocument } from './consolidated-document.js';
import { errorOfFailure, type Failure } from './failure.js';
import { parseRepeated } from './repeated-texts.js';

/**
 * Names of metadata documents of v2 and v3. Names of v1 documents are valid names of v2 and v3 nodes, so
 * they are read separately.
 */
export const documentNames = ['zarr.json', '.zarray', '.zgroup', '.zattrs', '.zmetadata'] as const;
export const v1DocumentNames = ['meta', 'attrs'] as const;
export type DocumentName = (typeof documentNames)[number] | (typeof v1DocumentNames)[number];

export interface StoredDocument {
  /**
   * The parsed text (`null` for .zmetadata, and for consolidated metadata in a long zarr.json), or the
   * failure.
   */
  readonly content: { readonly json: JsonValue } | { readonly failure: Failure };
  /**
   * Kind of the document, known without parsing it again: `broken` for a failure, its `node_type` if it is
   * a known one, otherwise undefined.
   */
  readonly kind: 'broken' | 'group' | 'array' | undefined;
  readonly version: string | undefined;
  /** Size of the parsed text in bytes. */
  readonly bytes: number;
  /** Approximate memory of the document in bytes. */
  readonly heldBytes: number;
  /** The complete text, if it may contain consolidated metadata. */
  readonly consolidated: ConsolidatedDocument | undefined;
}

/** The existing documents of one node. */
export type StoredDocuments = Partial<Record<DocumentName, StoredDocument>>;

/** Memory of parsed JSON as a multiple of the size of its text. */
const PARSED_FACTOR = 4;
/**
 * Memory of consolidated metadata and of its index, which is created later, as a multiple of the size of the
 * text.
 */
const INDEXED_FACTOR = 1.5;

/** @param bytes size of the parsed text in bytes */
export function parsedDocument(
  json: JsonValue,
  version: string | undefined,
  bytes: number,
  consolidated: ConsolidatedDocument | undefined,
): StoredDocument {
  const type = isJsonObject(json) ? json['node_type'] : undefined;
  const kind = type === 'group' || type === 'array' ? type : undefined;
  const heldBytes = bytes * PARSED_FACTOR + (consolidated?.bytes.length ?? 0) * INDEXED_FACTOR;
  return { content: { json }, kind, version, bytes, heldBytes, consolidated };
}

export function brokenDocument(failure: Failure, version: string | undefined): StoredDocument {
  const heldBytes = 2 * failure.detail.length;
  return { content: { failure }, kind: 'broken', version, bytes: 0, heldBytes, consolidated: undefined };
}

/** Maximum size, in bytes, of documents that are cached as text. Parsing one takes a few microseconds. */
const COMPACT_BYTES = 4096;

/**
 * Converts a document to the form that is cached. Short documents without consolidated metadata are cached as
 * text, with one byte per character.
 */
export function compactDocument(document: StoredDocument, bytes: Uint8Array): StoredDocument {
  const { kind, version, consolidated } = document;
  if (kind === 'broken' || consolidated !== undefined || bytes.length > COMPACT_BYTES) return document;
  return new CompactDocument(latin1FromBytes(bytes, 0, bytes.length), kind, version);
}

/** A document as text. An object literal with a getter takes 560 bytes more. */
class CompactDocument implements StoredDocument {
  readonly #text: string;
  readonly kind: StoredDocument['kind'];
  readonly version: string | undefined;
  readonly consolidated = undefined;

  constructor(text: string, kind: StoredDocument['kind'], version: string | undefined) {
    this.#text = text;
    this.kind = kind;
    this.version = version;
  }

  get content(): { readonly json: JsonValue } {
    return { json: parseRepeated(bytesFromLatin1(this.#text)) };
  }

  get bytes(): number {
    return this.#text.length;
  }

  get heldBytes(): number {
    return this.#text.length;
  }
}

/** Creates the request for a document, conditional if it is cached. */
export function requestFor({ key, kept }: { key: string; kept: StoredDocument | undefined }): ReadRequest {
  return kept?.version === undefined ? { key } : { key, ifNoneMatch: kept.version };
}

/** @throws the document's error if it could not be read or parsed */
export function jsonOf(document: StoredDocument | undefined): JsonValue | undefined {
  if (document === undefined) return undefined;
  const { content } = document;
  if ('failure' in content) throw errorOfFailure(content.failure);
  return content.json;
}

/** The parsed documents of a node. @throws errors from `jsonOf` */
export function parsedDocuments(stored: StoredDocuments): NodeDocuments {
  return Object.fromEntries(
    Object.entries(documentKeys).map(([key, name]) => [
      name,
      isDocumentKey(key) ? jsonOf(stored[key]) : undefined,
    ]),
  );
}

/**
 * The kind of node that the documents form, for listings. A broken document other than .zmetadata counts as
 * an array, so nothing below it is listed.
 */
export function storedKind(stored: StoredDocuments): 'group' | 'array' | undefined {
  const isBroken = ([name, { kind }]: [string, StoredDocument]): boolean =>
    kind === 'broken' && name !== '.zmetadata';
  if (Object.entries(stored).some(isBroken)) return 'array';
  const v3 = stored['zarr.json'];
  if (v3 !== undefined) return v3.kind === 'broken' ? 'array' : v3.kind;
  const exists = (name: DocumentName): true | undefined => (stored[name] === undefined ? undefined : true);
  return nodeKindOf({ zarray: exists('.zarray'), zgroup: exists('.zgroup'), meta: exists('meta') });
}

/** Total size of a node's documents in bytes. */
export function documentBytes(stored: StoredDocuments): number {
  return Object.values(stored).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Documents of format 2 that do not apply to an array. */
export const documentsOfGroups: readonly DocumentName[] = ['.zgroup', '.zmetadata'];
const allExceptV3: readonly DocumentName[] = [...documentNames, ...v1DocumentNames].filter(
  (name) => name !== 'zarr.json',
);
const none: readonly DocumentName[] = [];

/** The documents that do not apply beside the stored ones: format 3 takes precedence, and then arrays. */
export function inapplicableNames(stored: StoredDocuments): readonly DocumentName[] {
  if (stored['zarr.json'] !== undefined) return allExceptV3;
  return stored['.zarray'] === undefined ? none : documentsOfGroups;
}

/** The documents that the node depends on. */
export function applicableDocuments(stored: StoredDocuments): StoredDocuments {
  const inapplicable = inapplicableNames(stored);
  if (!inapplicable.some((name) => stored[name] !== undefined)) return stored;
  const applicable = { ...stored };
  for (const name of inapplicable) delete applicable[name];
  return applicable;
}

/**
 * The version of a node, which changes whenever an applicable document changes; undefined if an applicable
 * document has no version.
 */
export function nodeVersion(stored: StoredDocuments): string | undefined {
  const applicable = Object.entries(applicableDocuments(stored));
  if (applicable.some(([, document]) => document.version === undefined)) return undefined;
  return applicable.map(([name, document]) => `${name}:${document.version ?? ''}`).join(' ');
}
