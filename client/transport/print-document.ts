/**
 * Prints syntax trees of executable documents (GraphQL, section 2), for generators that emit trees without source
 * text.
 */
import { InputError } from '../errors.js';
import { isList, isRecord } from '../json/json.js';

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
