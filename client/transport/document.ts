/** Typed documents: text with the types of the variables and the result. */
import { InputError } from '../errors.js';
import { isRecord, isList } from '../json/json.js';

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

// Prints syntax trees of executable documents (GraphQL, section 2), for generators that emit trees without source text.

type SyntaxNode = Readonly<Record<string, unknown>>;

/** @throws InputError unless the node belongs to an executable document */
export function printDocument(node: unknown): string {
  if (!isRecord(node)) throw unknown(node);
  const print = printers[String(node['kind'])];
  if (print === undefined) throw unknown(node);
  return print(node);
}

const printers: Readonly<Record<string, (node: SyntaxNode) => string>> = {
  Document: (node) => all(node['definitions'], '\n'),
  OperationDefinition: (node) =>
    `${String(node['operation'])} ${nameOf(node)}${wrapped('(', all(node['variableDefinitions'], ', '), ')')}${directives(node)} ${optional(node['selectionSet'])}`,
  FragmentDefinition: (node) =>
    `fragment ${nameOf(node)} on ${optional(node['typeCondition'])}${directives(node)} ${optional(node['selectionSet'])}`,
  VariableDefinition: (node) =>
    `${optional(node['variable'])}: ${optional(node['type'])}${wrapped(' = ', optional(node['defaultValue']))}${directives(node)}`,
  SelectionSet: (node) => `{ ${all(node['selections'], ' ')} }`,
  Field: (node) =>
    [
      wrapped('', optional(node['alias']), ': ') + nameOf(node),
      wrapped('(', all(node['arguments'], ', '), ')') + directives(node),
      wrapped(' ', optional(node['selectionSet'])),
    ].join(''),
  FragmentSpread: (node) => `...${nameOf(node)}${directives(node)}`,
  InlineFragment: (node) =>
    `...${wrapped(' on ', optional(node['typeCondition']))}${directives(node)} ${optional(node['selectionSet'])}`,
  Argument: (node) => `${nameOf(node)}: ${optional(node['value'])}`,
  ObjectField: (node) => `${nameOf(node)}: ${optional(node['value'])}`,
  Directive: (node) => `@${nameOf(node)}${wrapped('(', all(node['arguments'], ', '), ')')}`,
  Variable: (node) => `$${nameOf(node)}`,
  Name: valueOf,
  NamedType: nameOf,
  ListType: (node) => `[${optional(node['type'])}]`,
  NonNullType: (node) => `${optional(node['type'])}!`,
  IntValue: valueOf,
  FloatValue: valueOf,
  EnumValue: valueOf,
  BooleanValue: valueOf,
  NullValue: () => 'null',
  // JSON's escapes are valid in GraphQL; block strings become ordinary strings.
  StringValue: (node) => JSON.stringify(node['value']),
  ListValue: (node) => `[${all(node['values'], ', ')}]`,
  ObjectValue: (node) => `{${all(node['fields'], ', ')}}`,
};

function valueOf(node: SyntaxNode): string {
  return String(node['value']);
}

function nameOf(node: SyntaxNode): string {
  return optional(node['name']);
}

function optional(node: unknown): string {
  return node === undefined || node === null ? '' : printDocument(node);
}

function all(nodes: unknown, separator: string): string {
  return isList(nodes) ? nodes.map(printDocument).join(separator) : '';
}

function directives(node: SyntaxNode): string {
  return wrapped(' ', all(node['directives'], ' '));
}

function wrapped(before: string, text: string, after = ''): string {
  return text === '' ? '' : before + text + after;
}

function unknown(node: unknown): InputError {
  const kind = isRecord(node) ? String(node['kind']) : typeof node;
  return new InputError(
    'BAD_INPUT',
    `the document is neither text nor the syntax tree of an executable document (${kind})`,
  );
}
