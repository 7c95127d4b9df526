/** Typed documents: text with the types of the variables and the result. */
import { InputError } from '../errors.js';
import { isRecord } from '../json/json.js';
import { printDocument } from './print-document.js';

/**
 * A document in any form: text, a generated {@link TypedDocument}, or the output of other generators (`TypedDocumentString`, `TypedDocumentNode`).
 */
export interface DocumentLike<R = unknown, V = unknown> {
  toString(): string;
  /** The types of the variables and the result. Exists only at compile time. */
  readonly __apiType?: ((variables: V) => R) | undefined;
}

/** A document of a generated SDK. */
export interface TypedDocument<R, V> extends DocumentLike<R, V> {
  readonly operationName: string;
  readonly text: string;
}

/** Called by generated code. */
export function typedDocument<R, V>(operationName: string, text: string): TypedDocument<R, V> {
  return { operationName, text, toString: () => text };
}

/** Options of one call; the options of the client are the defaults. */
export interface RequestOptions {
  /** Aborts the call with the error ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of the call including retries, in ms; exceeding it is the error TIMEOUT. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether slices, lines and statistics that are requested together settle one by one, as soon as each is computed.
   * Set by `client.batch` and the hooks. @default false: they settle together
   */
  readonly inParts?: boolean | undefined;
}

/** Sends a document and returns its data. @throws RequestError, TransportError, InputError */
export type Execute = <R, V>(
  document: DocumentLike<R, V>,
  variables: V,
  options?: RequestOptions,
) => Promise<R>;

/** @throws InputError for a missing document, and for a syntax tree without source text that is not executable */
export function documentText(document: { toString(): string } | null | undefined): string {
  if (document === null || document === undefined)
    throw new InputError(
      'BAD_INPUT',
      `the document is ${String(document)}; expected text or a typed document`,
    );
  if (!isRecord(document) || document['kind'] !== 'Document') return document.toString();
  const { loc } = document;
  const source = isRecord(loc) ? loc['source'] : undefined;
  const body = isRecord(source) ? source['body'] : undefined;
  return typeof body === 'string' ? body : printDocument(document);
}

/**
 * Whether the document is safe to send again. May return false for a safe document, because keywords in
 * comments and strings count too.
 */
export function isRepeatable(text: string): boolean {
  return !/\b(?:mutation|subscription)\b/.test(text);
}
