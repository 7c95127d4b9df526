/**
 * How large a document is, before graphql validates it: some of its rules take time that grows with the square of what
 * they are given. The walk ends as soon as a bound is passed, so it costs no more than a document within bounds.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type Token,
} from 'graphql';
import type { DocumentLimits } from '../resolvers/limits.js';
import { LimitError } from '../zarr/index.js';

/** How often one field may stand in one place: graphql compares each with every other. */
const maxRepeats = 100;

/** Validation looks at each pair of fragments that can meet. */
const maxFragments = 300;

/** Levels of lists and objects of arguments, below those of fields. */
const maxValueDepth = 64;

/** Fields of one place of the answer, by the name that they have in it. */
interface PlaceInAnswer {
  repeats: number;
  readonly below: Map<string, PlaceInAnswer>;
}

interface Walk {
  readonly limits: DocumentLimits;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Names of the fragments that the walk is within: cycles are left to validation. */
  readonly within: Set<string>;
  fields: number;
}

/** @throws LimitError naming the bound that the document passes */
export function checkDocumentSize(document: DocumentNode, limits: DocumentLimits): void {
  checkNesting(document.loc?.startToken, limits);
  checkAliases(document, limits);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  check('maxFragments', fragments.size, maxFragments, 'write fields of small fragments where they are used');
  const walk: Walk = { limits, fragments, within: new Set(), fields: 0 };
  for (const definition of document.definitions) {
    // Fragments are walked by themselves, too: validation looks at those that nobody uses.
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    const root: PlaceInAnswer = { repeats: 0, below: new Map() };
    if (definition.kind === Kind.FRAGMENT_DEFINITION) walk.within.add(definition.name.value);
    visit(definition.selectionSet, root, 1, walk);
    walk.within.clear();
    if (definition.kind === Kind.OPERATION_DEFINITION)
      check('maxRootFields', root.below.size, limits.maxRootFields, 'ask in several requests');
  }
}

function visit(selections: SelectionSetNode, place: PlaceInAnswer, depth: number, walk: Walk): void {
  for (const selection of selections.selections) {
    walk.fields += 1;
    check('maxFields', walk.fields, walk.limits.maxFields, 'ask for fewer fields, or in several requests');
    visitOne(selection, place, depth, walk);
  }
}

function visitOne(selection: SelectionNode, place: PlaceInAnswer, depth: number, walk: Walk): void {
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    visit(selection.selectionSet, place, depth, walk);
    return;
  }
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    const name = selection.name.value;
    const fragment = walk.fragments.get(name);
    if (fragment === undefined || walk.within.has(name)) return;
    walk.within.add(name);
    visit(fragment.selectionSet, place, depth, walk);
    walk.within.delete(name);
    return;
  }
  check('maxDepth', depth, walk.limits.maxDepth, 'ask from nearer by, with an id or a path');
  const name = selection.alias?.value ?? selection.name.value;
  const field = place.below.get(name) ?? { repeats: 0, below: new Map<string, PlaceInAnswer>() };
  place.below.set(name, field);
  field.repeats += 1;
  check(
    'maxRepeats',
    field.repeats,
    maxRepeats,
    `the field "${shortened(name)}" is asked for again and again`,
  );
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
  check('maxAliases', aliases, limits.maxAliases, 'give many slices as a list to "slices", or ask in parts');
}

/** Brackets within brackets, those of values too: what walks a document by recursion must come back. */
function checkNesting(first: Token | undefined, limits: DocumentLimits): void {
  const allowed = limits.maxDepth + maxValueDepth;
  let depth = 0;
  for (let token = first ?? null; token !== null; token = token.next) {
    if (token.kind === '{' || token.kind === '[' || token.kind === '(') depth += 1;
    else if (token.kind === '}' || token.kind === ']' || token.kind === ')') depth -= 1;
    if (depth > allowed) throw tooDeep(limits);
  }
}

/** Also what a parser's recursion comes to an end with. */
export function tooDeep({ maxDepth }: DocumentLimits): LimitError {
  return documentLimit('maxDepth', maxDepth + 1, maxDepth, 'its brackets are nested too deeply');
}

function check(limit: string, needed: number, allowed: number, advice: string): void {
  if (needed > allowed) throw documentLimit(limit, needed, allowed, advice);
}

/** @param needed at least this much: the rest was not counted */
export function documentLimit(limit: string, needed: number, allowed: number, advice: string): LimitError {
  return new LimitError(
    `the document is too large: ${limit} allows ${allowed}, ${needed} or more are needed; ${advice}`,
    { excess: [{ limit, allowed, needed }] },
  );
}

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}...` : name;
}
