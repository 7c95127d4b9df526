/**
 * Documents that clients name instead of sending them: from a list of the operator's, by `documentId` (the appendix
 * "Persisted Documents" of GraphQL over HTTP), or from what clients sent before, by the hash in
 * `extensions.persistedQuery` (Apollo's automatic persisted queries). A document of the list goes by both.
 */
import { createHash } from 'node:crypto';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { ForbiddenError } from '../resolvers/refusals.js';
import { InputError, NotFoundError } from '../zarr/index.js';
import { badRequest } from './bad-request.js';

export interface PersistedDocumentsOptions {
  /** Texts by `sha256:` with the hash in hexadecimal digits, or by an id of one's own (without a colon). */
  readonly documents?: ReadonlyMap<string, string> | undefined;
  /** Refuse all other documents, from whoever asks over HTTP. @default false */
  readonly only?: boolean | undefined;
  /** Memory for documents that clients persist; 0 for none. @default 4 MiB */
  readonly automaticBytes?: number | undefined;
}

const defaultAutomaticBytes = 4 * 2 ** 20;

/** @throws InputError where a hash is not that of its document */
export function usePersistedDocuments(options: PersistedDocumentsOptions): Plugin {
  const { only = false, automaticBytes = defaultAutomaticBytes } = options;
  const listed = listedDocuments(options.documents ?? new Map());
  const automatic =
    only || automaticBytes === 0
      ? undefined
      : new LRUCache<string, string>({
          maxSize: automaticBytes,
          sizeCalculation: (text) => 2 * text.length + 200,
        });
  /** Ids of documents to be remembered when they have turned out to be valid. */
  const arriving = new WeakMap<object, { readonly id: string; readonly text: string }>();

  function find(id: string): string | undefined {
    return listed.get(id) ?? automatic?.get(id);
  }

  return {
    onParams({ params, setParams, context }) {
      const { documentId, ...rest }: GraphQLParams & { readonly documentId?: unknown } = params;
      const id = idOf(documentId, params.extensions);
      const { query } = params;
      if (typeof query === 'string' && query !== '') {
        if (only && !listed.has(idOfText(query))) throw onlyListed();
        if (id?.startsWith('sha256:') === true) {
          if (idOfText(query) !== id) throw badRequest('the SHA-256 hash is not that of the query beside it');
          arriving.set(context, { id, text: query });
        }
        if (documentId !== undefined) setParams(rest);
        return;
      }
      if (id === undefined) {
        if (only) throw onlyListed();
        return;
      }
      const found = find(id);
      if (found === undefined) throw documentId === undefined ? notPersisted() : unknownId(id);
      setParams({ ...rest, query: found });
    },
    onValidate({ context }) {
      const document = arriving.get(context);
      if (document === undefined || automatic === undefined) return undefined;
      return ({ valid }) => {
        if (valid) automatic.set(document.id, document.text);
      };
    },
  };
}

/** @throws GraphQLError for something that is no id */
function idOf(documentId: unknown, extensions: unknown): string | undefined {
  if (documentId !== undefined && documentId !== null) {
    if (typeof documentId === 'string' && documentId !== '') return documentId;
    throw badRequest('"documentId" must be a string, such as "sha256:" and the hash of a document');
  }
  const persisted = field(extensions, 'persistedQuery');
  if (persisted === undefined || persisted === null) return undefined;
  const hash = field(persisted, 'sha256Hash');
  if (field(persisted, 'version') !== 1 || typeof hash !== 'string' || !/^[0-9a-f]{64}$/i.test(hash))
    throw badRequest(
      '"extensions.persistedQuery" must have "version": 1 and as "sha256Hash" 64 hexadecimal digits',
    );
  return `sha256:${hash.toLowerCase()}`;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function listedDocuments(given: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const listed = new Map<string, string>();
  for (const [id, text] of given) {
    const own = idOfText(text);
    if (id.startsWith('sha256:') && id !== own)
      throw new InputError(`the persisted document "${id}" has another hash, ${own}`);
    listed.set(id, text).set(own, text);
  }
  return listed;
}

/** The id that a document has by its text. */
export function idOfText(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/** Clients of the protocol look for exactly this text, and then send the document. */
function notPersisted(): NotFoundError {
  return new NotFoundError('PersistedQueryNotFound');
}

function unknownId(id: string): NotFoundError {
  return new NotFoundError(
    `there is no persisted document of the id ${JSON.stringify(id.slice(0, 100))}; send the document as "query"`,
  );
}

function onlyListed(): ForbiddenError {
  return new ForbiddenError(
    'only the documents that the operator of this gateway has listed may be asked; send their "documentId"',
  );
}
