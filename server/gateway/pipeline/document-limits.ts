/**
 * Limits on the size of a document, checked before graphql validates it, because some validation rules take
 * quadratic time. The checks stop at the first limit exceeded, so they never take longer than for a document
 * within the limits.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type Token,
} from 'graphql';
import type { DocumentLimits } from '../../resolvers/limits.js';
import { LimitError } from '../../zarr/index.js';

/** Maximum number of occurrences of a response name in one selection set. graphql compares all pairs. */
const MAX_REPEATS = 100;

/** Maximum number of fragments, because validation compares all pairs. */
const MAX_FRAGMENTS = 300;

/** Maximum nesting of lists and objects in arguments, in addition to `maxDepth`. */
const MAX_VALUE_DEPTH = 64;

/** A field of the response, with its children by response name. */
interface ResponseField {
  repeats: number;
  readonly children: Map<string, ResponseField>;
}

interface Walk {
  readonly limits: DocumentLimits;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Fragments that contain the current position of the walk. Validation reports cycles. */
  readonly open: Set<string>;
  fields: number;
}

/** @throws LimitError naming the limit exceeded */
export function checkDocumentLimits(document: DocumentNode, limits: DocumentLimits): void {
  checkNesting(document.loc?.startToken, limits);
  checkAliases(document, limits);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  check('maxFragments', fragments.size, MAX_FRAGMENTS, 'inline small fragments where they are used');
  const walk: Walk = { limits, fragments, open: new Set(), fields: 0 };
  for (const definition of document.definitions) {
    // Fragments are also walked separately, because validation checks unused ones too.
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    const root: ResponseField = { repeats: 0, children: new Map() };
    if (definition.kind === Kind.FRAGMENT_DEFINITION) walk.open.add(definition.name.value);
    visit(definition.selectionSet, root, 1, walk);
    walk.open.clear();
    if (definition.kind === Kind.OPERATION_DEFINITION)
      check('maxRootFields', root.children.size, limits.maxRootFields, 'split the request');
  }
}

function visit(selections: SelectionSetNode, parent: ResponseField, depth: number, walk: Walk): void {
  for (const selection of selections.selections) {
    walk.fields += 1;
    check('maxFields', walk.fields, walk.limits.maxFields, 'select fewer fields, or split the request');
    visitOne(selection, parent, depth, walk);
  }
}

function visitOne(selection: SelectionNode, parent: ResponseField, depth: number, walk: Walk): void {
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    visit(selection.selectionSet, parent, depth, walk);
    return;
  }
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    const name = selection.name.value;
    const fragment = walk.fragments.get(name);
    if (fragment === undefined || walk.open.has(name)) return;
    walk.open.add(name);
    visit(fragment.selectionSet, parent, depth, walk);
    walk.open.delete(name);
    return;
  }
  check('maxDepth', depth, walk.limits.maxDepth, 'start from a deeper node, by its id or path');
  const name = selection.alias?.value ?? selection.name.value;
  const field = parent.children.get(name) ?? { repeats: 0, children: new Map<string, ResponseField>() };
  parent.children.set(name, field);
  field.repeats += 1;
  check('maxRepeats', field.repeats, MAX_REPEATS, `repeat the field "${shortened(name)}" less often`);
  if (selection.selectionSet !== undefined) visit(selection.selectionSet, field, depth + 1, walk);
}

function checkAliases(document: DocumentNode, limits: DocumentLimits): void {
  let aliases = 0;
  const waiting: SelectionSetNode[] = [];
  for (const definition of document.definitions)
    if ('selectionSet' in definition) waiting.push(definition.selectionSet);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const selection of next.selections) {
      if (selection.kind === Kind.FIELD && selection.alias !== undefined) aliases += 1;
      if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet !== undefined)
        waiting.push(selection.selectionSet);
    }
  check(
    'maxAliases',
    aliases,
    limits.maxAliases,
    'pass many slices as one list to "slices", or split the request',
  );
}

/**
 * Checks the nesting of brackets, including those of values, which bounds every recursive walk of the
 * document.
 */
function checkNesting(first: Token | undefined, limits: DocumentLimits): void {
  const allowed = limits.maxDepth + MAX_VALUE_DEPTH;
  let depth = 0;
  for (let token = first ?? null; token !== null; token = token.next) {
    if (token.kind === '{' || token.kind === '[' || token.kind === '(') depth += 1;
    else if (token.kind === '}' || token.kind === ']' || token.kind === ')') depth -= 1;
    if (depth > allowed) throw nestedTooDeeply(limits);
  }
}

export function nestedTooDeeply({ maxDepth }: DocumentLimits): LimitError {
  return documentLimit('maxDepth', maxDepth + 1, maxDepth, 'nest fields and values less deeply');
}

function check(limit: string, needed: number, allowed: number, advice: string): void {
  if (needed > allowed) throw documentLimit(limit, needed, allowed, advice);
}

/** @param needed a lower bound: counting stopped there */
export function documentLimit(limit: string, needed: number, allowed: number, advice: string): LimitError {
  return new LimitError(
    `the document is too large: ${limit} allows ${allowed}, but at least ${needed} are needed; ${advice}`,
    { excess: [{ limit, allowed, needed }] },
  );
}

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}...` : name;
}
