/** Example operations for GraphiQL, with names from the configured stores, so that each can be run. */
import { defined } from '../../wire/guards.js';
import type { StoreModel } from '../resolvers/models.js';
import { type NodeEntry, ZarrArray } from '../zarr/index.js';

/** Time limit of the search for examples: the page waits for it. */
const MAX_SEARCH_MS = 1000;
const MAX_NODES = 50;
const MAX_STORES = 5;

const HINTS = `# Ctrl-Enter runs the operation at the cursor; the run button lets you choose one. Ctrl-Space completes.
# If the gateway requires a token, enter it in "Headers" below: { "Authorization": "Bearer YOUR-TOKEN" }
`;

const LISTING = `# All stores, with the first nodes of each.
query Stores {
  stores {
    nodes {
      name
      description
      search(first: 20) {
        nodes {
          path
          kind
          ... on ZarrArray { dtype { name } shape }
        }
      }
    }
  }
}
`;

/**
 * Creates one document of named operations. Operations that need an array to show, or a writable store, are
 * omitted if there is none. Never fails.
 */
export async function exampleDocument(stores: readonly StoreModel[]): Promise<string> {
  return [HINTS, ...(await exampleOperations(stores))].join('\n');
}

async function exampleOperations(stores: readonly StoreModel[]): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(MAX_SEARCH_MS);
  const writable = stores.find((store) => store.writable);
  const changing = writable === undefined ? [] : [writingQuery(writable.name), changesQuery(writable.name)];
  for (const store of stores.slice(0, MAX_STORES)) {
    const array = await findArray(store, signal);
    if (array === undefined) continue;
    const group = await groupOf(store, array, signal);
    if (group === undefined) return [LISTING, ...arrayQueries(store.name, array), ...changing];
    const decoded = hasNames(array) ? [decodedQuery(store.name, group, array)] : [];
    const about = datasetQuery(store.name, group);
    return [...decoded, LISTING, ...arrayQueries(store.name, array), about, ...changing];
  }
  return [LISTING, ...changing];
}

/**
 * An array to display: one with at least two dimensions if the first nodes include one, else any. Undefined
 * if none is found in time.
 */
async function findArray({ hierarchy }: StoreModel, signal: AbortSignal): Promise<ZarrArray | undefined> {
  let other: ZarrArray | undefined;
  let seen = 0;
  try {
    const root = await hierarchy.node('/', { signal });
    if (root instanceof ZarrArray) return root;
    for await (const entry of hierarchy.walk('/', { recursive: true, throughFolders: true, signal })) {
      const array = opened(entry);
      if (array !== undefined && array.shape.length >= 2) return array;
      other ??= array;
      if (++seen >= MAX_NODES) break;
    }
  } catch {
    // An unavailable store has no examples; requests to it report the error.
  }
  return other;
}

/** The shape of an array, if the store responds in time. */
export async function shapeOf(
  store: StoreModel | undefined,
  path: string,
): Promise<readonly number[] | undefined> {
  const signal = AbortSignal.timeout(MAX_SEARCH_MS);
  const node = await store?.hierarchy.node(path, { signal }).catch(() => undefined);
  return node instanceof ZarrArray ? node.shape : undefined;
}

/** Arrays whose values can be displayed. */
function opened(entry: NodeEntry): ZarrArray | undefined {
  if (entry.kind === 'group') return undefined;
  try {
    const node = entry.open();
    if (node instanceof ZarrArray && !('unsupported' in node.meta.chain) && !node.shape.includes(0))
      return node;
  } catch {
    // The node cannot be opened.
  }
  return undefined;
}

function arrayQueries(store: string, array: ZarrArray): string[] {
  const selection = `store(name: ${text(store)}) {
    array(path: ${text(array.path)})`;
  const about = `# The metadata of an array, and the cost of reading all of its values.
query Array {
  ${selection} {
      shape
      dtype { name kind numpy }
      dimensions { name size chunkSize }
      attributes
      codecs { name configuration }
      slice { estimate { chunks decodedBytes outputBytes allowed } }
    }
  }
}
`;
  const values = `# A block from the middle of the array. Selections use Python's syntax. Chunks are read only if values are requested.
query Values {
  ${selection} {
      slice(select: { text: ${text(pieceOf(array))} }) {
        shape
        values
        base64 { dtype data }
      }
    }
  }
}
`;
  return hasNames(array) ? [about, values, namedQuery(selection, array)] : [about, values];
}

function hasNames({ dimensionNames, shape }: ZarrArray): boolean {
  return dimensionNames.every((name) => name !== null) && shape.length > 0;
}

/** A selection in the middle of the array: single indices except in the last two dimensions. */
function pieceOf({ shape }: ZarrArray): string {
  return shape
    .map((length, d) => {
      const middle = Math.floor(length / 2);
      if (d < shape.length - 2) return String(middle);
      const start = Math.max(0, middle - 2);
      return `${start}:${Math.min(length, start + 4)}`;
    })
    .join(', ');
}

function namedQuery(selection: string, { shape, dimensionNames }: ZarrArray): string {
  const last = shape.length - 1;
  const chosen = dimensionNames.map((name, d) => {
    const length = defined(shape[d]);
    const middle = Math.floor(length / 2);
    const start = Math.max(0, middle - 4);
    const by =
      d === last ? `slice: { start: ${start}, stop: ${Math.min(length, start + 8)} }` : `index: ${middle}`;
    return `{ dim: ${text(name ?? '')}, by: { ${by} } }`;
  });
  return `# One row, selected by dimension names in any order. Dimensions without a selection are returned completely.
query ByName {
  ${selection} {
      slice(select: { named: [
        ${chosen.join('\n        ')}
      ] }) {
        dimensions { name size start step }
        values(nonFinite: NULL)
      }
    }
  }
}
`;
}

/** The path of the parent group, if there is one. */
async function groupOf(
  { hierarchy }: StoreModel,
  { path }: ZarrArray,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (path === '/') return undefined;
  const parent = path.slice(0, path.lastIndexOf('/')) || '/';
  const group = await hierarchy.node(parent, { signal }).catch(() => undefined);
  return group?.kind === 'group' ? parent : undefined;
}

function decodedQuery(store: string, group: string, array: ZarrArray): string {
  const name = array.path.slice(array.path.lastIndexOf('/') + 1);
  return `# Decoded values (missing ones are null) with the coordinates that a chart needs. The explorer at / draws them.
query Decoded {
  store(name: ${text(store)}) {
    dataset(path: ${text(group)}) {
      variable(name: ${text(name)}) {
        longName
        units
        slice(select: { text: ${text(pieceOf(array))} }) {
          values(nonFinite: NULL)
          coordinates { name units values }
        }
      }
    }
  }
}
`;
}

function datasetQuery(store: string, group: string): string {
  return `# The group of the array as a dataset, decoded by the CF conventions.
query Dataset {
  store(name: ${text(store)}) {
    dataset(path: ${text(group)}) {
      dimensions { name size }
      variables(kind: DATA) { name longName units shape }
    }
  }
}
`;
}

function writingQuery(store: string): string {
  return `# Writes to this store. Fields are independent: if one fails, the changes of the others remain.
mutation Write {
  createArray(
    input: { store: ${text(store)}, path: "example", shape: [2, 3], dtype: "float32", ifExists: KEEP }
  ) {
    array { path }
  }
  writeSlice(input: { store: ${text(store)}, path: "example", select: { text: "0" }, values: [1, 2.5, "NaN"] }) {
    chunksWritten
    array { slice { values } }
  }
}
`;
}

function changesQuery(store: string): string {
  return `# Changes made through this gateway, as they happen. Run this first, then the mutation in another tab.
subscription Changes {
  changes(store: ${text(store)}) {
    kind
    path
    ... on DataChange { region { start stop } }
  }
}
`;
}

/** A string literal of GraphQL, whose syntax includes JSON strings. */
function text(value: string): string {
  return JSON.stringify(value);
}
