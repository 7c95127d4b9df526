/**
 * Document step, second half: converts text to a valid document. Parses within limits, checks the size
 * before graphql validates the document, and caches only valid documents.
 */
import {
  type DocumentNode,
  getNamedType,
  GraphQLError,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { DocumentLimits } from '../../resolvers/limits.js';
import { nextTurn } from '../../zarr/index.js';
import { checkDocumentLimits, documentLimit, nestedTooDeeply } from './document-limits.js';

/** Default memory for cached documents of the generic schema, in bytes. */
export const DOCUMENT_CACHE_BYTES = 32 * 2 ** 20;
/** Approximate memory of a token and its share of the syntax tree, in bytes (measured: 250 to 400). */
const BYTES_PER_TOKEN = 400;

/** A document with what is derived from it once. */
export interface KnownDocument {
  readonly document: DocumentNode;
  isValid: boolean;
  /** See `wholeDocument` in `execute.ts`. */
  whole: DocumentNode | undefined;
  /** Prices of operations that depend on the document alone; see `cost.ts`. */
  readonly prices: Map<OperationDefinitionNode, Price>;
}

/** The two numbers of a selection: fields of the response, and parts that it may be delivered in. */
export interface Price {
  readonly fields: number;
  readonly parts: number;
}

/** A parsed document. */
export interface CheckedDocument {
  readonly known: KnownDocument;
  /** Why it is invalid; empty for a valid one. */
  readonly errors: readonly GraphQLError[];
}

/** Length of a text from which parsing and validation have several turns of the event loop. They take 1 ms per KB. */
const LONG_TEXT = 2 ** 13;
/** Parts of the rules of validation that have separate turns. Each walks through the document. */
const RULE_PARTS = 2;

export type DocumentCache = ReturnType<typeof createDocuments>;

export interface DocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly limits: DocumentLimits;
  /** Whether documents may query the schema. */
  readonly introspection: boolean;
  /** Where valid documents are kept, and the start of their keys. @default a separate cache of 32 MiB */
  readonly shared?: { readonly texts: DocumentTexts; readonly prefix: string } | undefined;
}

/** Parsed documents by key. */
export type DocumentTexts = LRUCache<string, KnownDocument>;

/** @param maxBytes memory for all documents, in bytes */
export function createDocumentTexts(maxBytes: number): DocumentTexts {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ document }, key) => 2 * key.length + BYTES_PER_TOKEN * countTokens(document),
  });
}

/** Replaces Yoga's cache, which counts documents instead of bytes and also caches rejected ones. */
export function createDocuments({
  schema,
  limits,
  introspection,
  shared = { texts: createDocumentTexts(DOCUMENT_CACHE_BYTES), prefix: '' },
}: DocumentsOptions) {
  const { texts, prefix } = shared;
  const parsed = new WeakMap<DocumentNode, KnownDocument>();
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const ruleParts = Array.from({ length: RULE_PARTS }, (_, part) =>
    rules.filter((_rule, i) => i % RULE_PARTS === part),
  );

  function remember(known: KnownDocument, text: string | undefined): void {
    known.isValid = true;
    if (text !== undefined) texts.set(prefix + text, known);
  }

  async function checkInTurns(text: string): Promise<CheckedDocument> {
    await nextTurn();
    const known = newDocument(parseWithin(text, limits));
    checkDocumentLimits(known.document, limits);
    const errors: GraphQLError[] = [];
    for (const part of ruleParts) {
      await nextTurn();
      errors.push(...validate(schema, known.document, part));
    }
    if (errors.length > 0) return { known, errors: errors.map((error) => withDeeperFields(error, schema)) };
    remember(known, text);
    await nextTurn();
    return { known, errors };
  }

  return {
    /**
     * The valid document of a text, from the cache if possible, or its errors. A promise for a long text, which is parsed
     * and validated in turns of the event loop.
     * @throws GraphQLError for a syntax error; LimitError for a document that is too large
     */
    check(text: string): CheckedDocument | Promise<CheckedDocument> {
      const remembered = texts.get(prefix + text);
      if (remembered !== undefined) return { known: remembered, errors: [] };
      if (text.length >= LONG_TEXT) return checkInTurns(text);
      const known = this.parse(text);
      return { known, errors: this.validate(known, text) };
    },
    /**
     * The document of a text, from the cache if possible.
     * @throws GraphQLError for a syntax error; LimitError for a document that is too large
     */
    parse: (text: string): KnownDocument =>
      texts.get(prefix + text) ?? newDocument(parseWithin(text, limits)),
    /** The document that a program has parsed. */
    of(document: DocumentNode): KnownDocument {
      const known = parsed.get(document) ?? newDocument(document);
      parsed.set(document, known);
      return known;
    },
    /**
     * Checks limits and validates, unless the document is known to be valid.
     * @param text the document's text, to cache it if it is valid
     * @returns errors, empty for a valid document
     * @throws LimitError for a document that is too large
     */
    validate(known: KnownDocument, text?: string): readonly GraphQLError[] {
      if (known.isValid) return [];
      checkDocumentLimits(known.document, limits);
      const errors = validate(schema, known.document, rules);
      if (errors.length > 0) return errors.map((error) => withDeeperFields(error, schema));
      remember(known, text);
      return [];
    },
    /** Whether the document of this text is cached, and therefore valid. */
    isRemembered: (text: string): boolean => texts.has(prefix + text),
  };
}

function newDocument(document: DocumentNode): KnownDocument {
  return { document, isValid: false, whole: undefined, prices: new Map() };
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

/** With more fields, the suggestion would be arbitrary. */
const MAX_SUGGESTIONS = 3;
/** Fields of a type that are compared: the types of stores may have thousands. */
const MAX_COMPARED = 500;

const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"\./;

/**
 * Replaces suggestions of similar names by fields of the same name one level deeper: `slice { values }` for
 * `ZarrArray.values`. Callers without introspection do not see them.
 */
export function withDeeperFields(error: GraphQLError, schema: GraphQLSchema): GraphQLError {
  const [start = '', field = '', typeName = ''] = unknownField.exec(error.message) ?? [];
  const paths = start === '' ? [] : deeperFields(schema, typeName, field);
  if (paths.length === 0 || paths.length > MAX_SUGGESTIONS) return error;
  const quoted = paths.map((path) => `"${path}"`).join(' or ');
  return new GraphQLError(`${start} Did you mean ${quoted}?`, { nodes: error.nodes });
}

function deeperFields(schema: GraphQLSchema, typeName: string, field: string): string[] {
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields())
    .slice(0, MAX_COMPARED)
    .flatMap(({ name, type: own }) => {
      const inner = getNamedType(own);
      if (!isObjectType(inner) && !isInterfaceType(inner)) return [];
      return inner.getFields()[field] === undefined ? [] : [`${name} { ${field} }`];
    });
}
