/**
 * Document step, second half: converts text to a valid document. Parses within limits, checks the size
 * before graphql validates the document, and caches only valid documents.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { DocumentLimits } from '../../resolvers/limits.js';
import { checkDocumentLimits, documentLimit, nestedTooDeeply } from './document-limits.js';

/** Memory for cached documents. */
const CACHE_BYTES = 32 * 2 ** 20;
/** Approximate memory of a token and its share of the syntax tree (measured: 250 to 400 bytes). */
const BYTES_PER_TOKEN = 400;

export interface Documents {
  /** Returns the parsed document for a text, from the cache if possible. @throws GraphQLError, LimitError */
  parse(text: string): DocumentNode;
  /**
   * Checks limits and validates, unless the document is known to be valid.
   * @param text the document's text, to cache it if it is valid
   * @returns errors, empty for a valid document
   * @throws LimitError
   */
  validate(document: DocumentNode, text?: string): readonly GraphQLError[];
  /** Whether the document of this text is cached, and therefore valid. */
  isRemembered(text: string): boolean;
}

export interface DocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly limits: DocumentLimits;
  /** Whether documents may query the schema. */
  readonly introspection: boolean;
}

/** Replaces Yoga's cache, which counts documents instead of bytes and also caches rejected ones. */
export function createDocuments({ schema, limits, introspection }: DocumentsOptions): Documents {
  const remembered = new LRUCache<string, DocumentNode>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (document, text) => 2 * text.length + BYTES_PER_TOKEN * countTokens(document),
  });
  const valid = new WeakSet<DocumentNode>();
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  return {
    parse: (text) => remembered.get(text) ?? parseWithin(text, limits),
    validate(document, text) {
      if (valid.has(document)) return [];
      checkDocumentLimits(document, limits);
      const errors = validate(schema, document, rules);
      if (errors.length > 0) return errors;
      valid.add(document);
      if (text !== undefined) remembered.set(text, document);
      return [];
    },
    isRemembered: (text) => remembered.has(text),
  };
}

function parseWithin(text: string, limits: DocumentLimits): DocumentNode {
  try {
    return parse(text, { maxTokens: limits.maxTokens });
  } catch (error) {
    // The parser's recursion has exhausted the stack.
    if (error instanceof RangeError) throw nestedTooDeeply(limits);
    if (error instanceof GraphQLError && error.message.includes('Parsing aborted'))
      throw documentLimit(
        'maxTokens',
        limits.maxTokens + 1,
        limits.maxTokens,
        'send long lists as variables, or split the request',
      );
    throw error;
  }
}

function countTokens(document: DocumentNode): number {
  let count = 0;
  for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) count += 1;
  return count;
}
