/** Filters the nodes of a listing. Conditions on names are checked first, conditions on metadata last. */
import {
  MetadataError,
  type NodeEntry,
  numpyTypestr,
  sameJson,
  UnsupportedError,
  type WalkCondition,
  type ZarrArray,
  type ZarrGroup,
} from '../../zarr/index.js';
import { parsePathPattern, type PathPattern } from './path-pattern.js';

export interface NodeConditions {
  /** Pattern that is matched against the path below `base`. */
  readonly match?: string | null | undefined;
  readonly kind?: 'GROUP' | 'ARRAY' | null | undefined;
  readonly dtype?: string | null | undefined;
  readonly dimension?: string | null | undefined;
  readonly attribute?: { readonly name: string; readonly equals?: unknown } | null | undefined;
}

export interface NodeFilter {
  /** Conditions on names and kinds, evaluated by the listing. */
  readonly where: WalkCondition;
  /** Whether names and kinds are sufficient. */
  readonly namesOnly: boolean;
  /** Whether a node that satisfies `where` also satisfies the other conditions. */
  passes(entry: NodeEntry): boolean;
}

/**
 * @param base path of the listed group
 * @throws InputError for an invalid pattern
 */
export function parseNodeFilter(conditions: NodeConditions, base: string): NodeFilter {
  const { kind, dtype, dimension, attribute } = conditions;
  const pattern = typeof conditions.match === 'string' ? parsePathPattern(conditions.match) : undefined;
  const namesOnly = !isGiven(dtype) && !isGiven(dimension) && !isGiven(attribute);
  const skipped = base === '/' ? 1 : base.length + 1;
  return {
    namesOnly,
    where: {
      mayMatchWithin: (path) =>
        pattern === undefined ||
        pattern.matches(path.slice(skipped)) ||
        pattern.matchesBelow(path.slice(skipped)),
      mayMatchBelow: (path) => pattern === undefined || pattern.matchesBelow(path.slice(skipped)),
      onlyChild: (path) => (pattern === undefined ? undefined : onlyChild(pattern, path.slice(skipped))),
      matches: (path, nodeKind) =>
        (!isGiven(kind) || nodeKind === (kind === 'GROUP' ? 'group' : 'array')) &&
        (pattern === undefined || pattern.matches(path.slice(skipped))),
    },
    passes(entry) {
      if (namesOnly) return true;
      const node = openReadable(entry);
      return node !== undefined && meets(node, conditions);
    },
  };
}

/**
 * The only child of `path` that can match a pattern with literal folders at its start; undefined if there
 * is none.
 */
function onlyChild({ folders }: PathPattern, path: string): string | undefined {
  const names = path === '' ? [] : path.split('/');
  return names.every((name, i) => name === folders[i]) ? folders[names.length] : undefined;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/** A node with invalid metadata satisfies no condition on metadata. Errors of the store are thrown. */
function openReadable(entry: NodeEntry): ZarrArray | ZarrGroup | undefined {
  try {
    return entry.open();
  } catch (error) {
    if (error instanceof MetadataError || error instanceof UnsupportedError) return undefined;
    throw error;
  }
}

function meets(node: ZarrArray | ZarrGroup, conditions: NodeConditions): boolean {
  const { dtype, dimension, attribute } = conditions;
  if (isGiven(dtype) && !(node.kind === 'array' && hasType(node, dtype))) return false;
  if (isGiven(dimension) && !(node.kind === 'array' && node.dimensionNames.includes(dimension))) return false;
  if (!isGiven(attribute)) return true;
  if (!Object.hasOwn(node.meta.attributes, attribute.name)) return false;
  return attribute.equals === undefined || sameJson(node.meta.attributes[attribute.name], attribute.equals);
}

function hasType(array: ZarrArray, name: string): boolean {
  return array.meta.dtypeName === name || numpyTypestr(array.meta.dtype) === name;
}

/** The nodes of a listing that satisfy the filter. */
export async function* filterNodes(
  entries: AsyncIterable<NodeEntry>,
  filter: NodeFilter,
): AsyncGenerator<NodeEntry> {
  for await (const entry of entries) if (filter.passes(entry)) yield entry;
}
