/** Documents with the types of their variables and their answer, and what sends them. */
import { InputError } from '../errors.js';
import { isRecord } from '../json/json.js';
import { printDocument } from './print-document.js';

/**
 * Anything that stands for a document: its text, a generated {@link TypedDocument}, or what other generators write
 * (`TypedDocumentString`, `TypedDocumentNode`).
 */
export interface DocumentLike<R = unknown, V = unknown> {
  toString(): string;
  /** Never there at run time: carries the types. */
  readonly __apiType?: ((variables: V) => R) | undefined;
}

/** A document as the generated SDK has it. */
export interface TypedDocument<R, V> extends DocumentLike<R, V> {
  readonly operationName: string;
  readonly text: string;
}

/** What generated code calls. */
export function typedDocument<R, V>(operationName: string, text: string): TypedDocument<R, V> {
  return { operationName, text, toString: () => text };
}

/** What one call may choose; the client's options are the default. */
export interface RequestOptions {
  /** Ends the call with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole call, retries included; ends it with TIMEOUT. */
  readonly timeoutMs?: number | undefined;
}

/** Sends a document and gives its data. @throws RequestError, TransportError */
export type Execute = <R, V>(
  document: DocumentLike<R, V>,
  variables: V,
  options?: RequestOptions,
) => Promise<R>;

/** @throws InputError for nothing, and for a syntax tree that is none of an executable document */
export function documentText(document: { toString(): string } | null | undefined): string {
  if (document === null || document === undefined)
    throw new InputError('BAD_INPUT', `the document is ${String(document)}`);
  if (!isRecord(document) || document['kind'] !== 'Document') return document.toString();
  const { loc } = document;
  const source = isRecord(loc) ? loc['source'] : undefined;
  const body = isRecord(source) ? source['body'] : undefined;
  return typeof body === 'string' ? body : printDocument(document);
}

/** Whether sending it twice does no harm. In doubt no: the words may also stand in a comment or a string. */
export function isRepeatable(text: string): boolean {
  return !/\b(?:mutation|subscription)\b/.test(text);
}
