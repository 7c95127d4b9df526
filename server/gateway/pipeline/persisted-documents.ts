/**
 * Document step, first half: persisted documents. A request can refer to a document by `documentId` (GraphQL over HTTP,
 * appendix "Persisted Documents") or by its hash in `extensions.persistedQuery` (Apollo's automatic persisted
 * queries). The operator lists documents; clients can add documents with the second form. Both forms find
 * listed documents.
 *
 * Yoga's plugin for persisted operations does not support automatic persisted queries. The plugin that does is not
 * compatible with Yoga 5.24.
 */
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError } from '../../config.js';
import type { SharedDocuments } from '../../redis/shared-documents.js';
import { ForbiddenError } from '../../resolvers/access/caller-rights.js';
import { InputError, NotFoundError } from '../../zarr/index.js';
import { badRequest } from '../http-errors.js';
import { memberOf, type Parameters } from './parameters.js';

export interface PersistedDocumentsOptions {
  /** Document texts by `sha256:` and their hash in hexadecimal digits, or by a custom id (without a colon). */
  readonly documents?: ReadonlyMap<string, string> | undefined;
  /** Whether to reject all other documents sent over HTTP. @default false */
  readonly only?: boolean | undefined;
  /** Memory for automatic persisted queries, in bytes; 0 disables them. @default 4 MiB */
  readonly automaticBytes?: number | undefined;
  /** Documents that clients persisted at other replicas. @default none */
  readonly shared?: SharedDocuments | undefined;
}

type SentDocument = Pick<Parameters, 'query' | 'documentId' | 'extensions'>;

/** The document text of a request. */
export interface DocumentText {
  readonly text: string;
  /** The id under which to persist the text once it is validated. */
  readonly persistAs?: string;
}

export type PersistedDocuments = ReturnType<typeof createPersistedDocuments>;

const HASH_PREFIX = 'sha256:';
const sharedId = /^sha256:[0-9a-f]{64}$/;
const DEFAULT_AUTOMATIC_BYTES = 4 * 2 ** 20;

/** @throws InputError if the hash of a listed document does not match its id */
export function createPersistedDocuments(options: PersistedDocumentsOptions) {
  const { only = false, automaticBytes = DEFAULT_AUTOMATIC_BYTES, shared } = options;
  const listed = listedDocuments(options.documents ?? new Map());
  const automatic =
    only || automaticBytes === 0
      ? undefined
      : new LRUCache<string, string>({
          maxSize: automaticBytes,
          sizeCalculation: (text) => 2 * text.length + 200,
        });

  return {
    /** Fetches a document that another replica knows, for `find`. @returns undefined if there is nothing to wait for */
    fetch({ query, documentId, extensions }: SentDocument): Promise<void> | undefined {
      const { persistedQuery } = extensions;
      if (shared === undefined || automatic === undefined || (query !== undefined && query !== ''))
        return undefined;
      if (documentId === undefined && persistedQuery === undefined) return undefined;
      const id = idOf(documentId, persistedQuery);
      if (id === undefined || !sharedId.test(id) || listed.has(id) || automatic.has(id)) return undefined;
      return shared.find(id.slice(HASH_PREFIX.length)).then((text) => {
        if (text !== undefined) automatic.set(id, text);
      });
    },
    /**
     * The text of the document that a request sends or refers to.
     * @throws NotFoundError for an unknown id; ForbiddenError if only listed documents are accepted; InputError
     *   without a document; GraphQLError for a malformed id, or for a hash that does not match the document
     */
    find({ query, documentId, extensions }: SentDocument): DocumentText {
      const { persistedQuery } = extensions;
      const isPlain = documentId === undefined && persistedQuery === undefined;
      const id = isPlain ? undefined : idOf(documentId, persistedQuery);
      if (query !== undefined && query !== '') {
        if (only && !listed.has(hashId(query))) throw notListed();
        if (id?.startsWith('sha256:') !== true) return { text: query };
        if (hashId(query) !== id) throw badRequest('the SHA-256 hash does not match the query');
        return { text: query, persistAs: id };
      }
      if (id === undefined) {
        if (only) throw notListed();
        if (query === undefined) throw noQuery();
        return { text: query };
      }
      const text = listed.get(id) ?? automatic?.get(id);
      if (text !== undefined) return { text };
      throw documentId === undefined ? notPersisted() : unknownId(id, only);
    },
    /** Persists a valid document, because its sender requested that. */
    persist(id: string, text: string): void {
      if (automatic === undefined) return;
      if (!automatic.has(id)) shared?.add(id.slice(HASH_PREFIX.length), text);
      automatic.set(id, text);
    },
  };
}

/** @throws GraphQLError for a malformed id */
function idOf(documentId: unknown, persistedQuery: unknown): string | undefined {
  if (documentId !== undefined) {
    if (typeof documentId === 'string' && documentId !== '') return documentId;
    throw badRequest('"documentId" must be a string such as "sha256:" followed by the hash of a document');
  }
  if (persistedQuery === undefined || persistedQuery === null) return undefined;
  const hash = memberOf(persistedQuery, 'sha256Hash');
  if (memberOf(persistedQuery, 'version') !== 1 || typeof hash !== 'string' || !/^[0-9a-f]{64}$/i.test(hash))
    throw badRequest(
      '"extensions.persistedQuery" must have "version": 1 and "sha256Hash" with 64 hexadecimal digits',
    );
  return `sha256:${hash.toLowerCase()}`;
}

function listedDocuments(documents: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const listed = new Map<string, string>();
  for (const [id, text] of documents) {
    const hash = hashId(text);
    if (id.startsWith('sha256:') && id !== hash)
      throw new InputError(`the persisted document "${id}" does not match its id: its hash is ${hash}`);
    listed.set(id, text).set(hash, text);
  }
  return listed;
}

/** The id of a document, computed from its text. */
function hashId(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/** Clients of the protocol compare with exactly this text before they send the document. */
function notPersisted(): NotFoundError {
  return new NotFoundError('PersistedQueryNotFound');
}

function unknownId(id: string, only: boolean): NotFoundError {
  const advice = only ? 'this gateway accepts only listed documents' : 'send the document as "query"';
  return new NotFoundError(`no persisted document has the id ${JSON.stringify(id.slice(0, 100))}; ${advice}`);
}

function notListed(): ForbiddenError {
  return new ForbiddenError('this gateway accepts only persisted documents; send the "documentId" of one');
}

/**
 * Creates the error for a request without a query. It is treated as a malformed document: status 400, but 200
 * for clients of `application/json`.
 */
function noQuery(): InputError {
  return new InputError('the request has no "query"');
}

const byId = z.record(z.string(), z.string());
const manifest = z.object({ operations: z.array(z.object({ id: z.string().min(1), body: z.string() })) });

/**
 * Reads a JSON file: an object of documents by id, or a manifest with `operations` that have `id` and `body`.
 * The prefix `sha256:` of hashes with 64 hexadecimal digits is optional.
 * @throws ConfigError if the file cannot be read, or has another form
 */
export function readPersistedDocuments(path: string): ReadonlyMap<string, string> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'not valid JSON' : 'cannot be read';
    throw new ConfigError([`persistedDocuments: ${path}: ${reason}`], { cause });
  }
  const listed = manifest.safeParse(json);
  const plain = byId.safeParse(json);
  if (!listed.success && !plain.success)
    throw new ConfigError([
      `persistedDocuments: ${path}: expected a JSON object of documents by id, or a manifest with "operations"`,
    ]);
  const entries = listed.success
    ? listed.data.operations.map(({ id, body }) => [id, body] as const)
    : Object.entries(plain.data ?? {});
  return new Map(entries.map(([id, text]) => [/^[0-9a-f]{64}$/.test(id) ? `sha256:${id}` : id, text]));
}
