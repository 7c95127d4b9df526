/**
 * Documents as the gateway accepts them: parsed within bounds, checked for their size before graphql validates them,
 * and remembered once they are known to be valid. What was refused is not remembered.
 */
import { type DocumentNode, GraphQLError, Kind, parse } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { DocumentLimits } from '../resolvers/limits.js';
import { checkDocumentSize, documentLimit, tooDeep } from './document-size.js';

/** What remembered documents may take. */
const cacheBytes = 32 * 2 ** 20;
/** About what one token takes with its share of the nodes made of it (measured: 250 to 400 bytes). */
const bytesPerToken = 400;

export interface BoundedDocuments {
  /** Replaces the server's own cache, which counts documents and not bytes. */
  readonly plugin: Plugin;
  /** The document of a text, if it is remembered. It is valid. */
  known(text: string): DocumentNode | undefined;
}

export function createBoundedDocuments(limits: DocumentLimits): BoundedDocuments {
  const known = new LRUCache<string, DocumentNode>({
    maxSize: cacheBytes,
    sizeCalculation: (document, text) => 2 * text.length + bytesPerToken * countTokens(document),
  });
  /** Documents that passed validation, and the text of those that came as text. */
  const valid = new WeakSet<DocumentNode>();
  const texts = new WeakMap<DocumentNode, string>();
  const plugin: Plugin = {
    onParse({ params, setParsedDocument, setParseFn }) {
      const text = String(params.source);
      const document = known.get(text);
      if (document !== undefined) {
        setParsedDocument(document);
        return;
      }
      setParseFn(() => {
        const parsed = parseWithin(text, limits);
        texts.set(parsed, text);
        return parsed;
      });
    },
    onValidate({ params, setResult }) {
      const document: unknown = params.documentAST;
      if (!isDocument(document)) return undefined;
      if (valid.has(document)) {
        setResult([]);
        return undefined;
      }
      checkDocumentSize(document, limits);
      return ({ valid: isValid }) => {
        if (!isValid) return;
        valid.add(document);
        const text = texts.get(document);
        if (text !== undefined) known.set(text, document);
      };
    },
  };
  return { plugin, known: (text) => known.get(text) };
}

function isDocument(value: unknown): value is DocumentNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === Kind.DOCUMENT;
}

function parseWithin(text: string, limits: DocumentLimits): DocumentNode {
  try {
    return parse(text, { maxTokens: limits.maxTokens });
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(limits);
    if (error instanceof GraphQLError && error.message.includes('Parsing aborted'))
      throw documentLimit(
        'maxTokens',
        limits.maxTokens + 1,
        limits.maxTokens,
        'send long lists as variables, or ask in parts',
      );
    throw error;
  }
}

function countTokens(document: DocumentNode): number {
  let count = 0;
  for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) count += 1;
  return count;
}
