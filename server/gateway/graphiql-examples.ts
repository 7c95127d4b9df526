/** Example operations for the stores at hand: with names that are there, so that each of them runs and shows something. */
import type { StoreModel } from '../resolvers/models.js';
import { type NodeEntry, ZarrArray } from '../zarr/index.js';

/** What looking for examples may take, in all: the page is waiting. */
const MAX_SEARCH_MS = 1000;
const MAX_NODES = 50;
const MAX_STORES = 5;

const hints = `# Ctrl-Enter runs the operation that the cursor stands in, the button lets you choose one; Ctrl-Space proposes fields.
# Where tokens are needed, yours goes into "Headers" below: { "Authorization": "Bearer YOUR-TOKEN" }
`;

const listing = `# Every store, and the first nodes in it.
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
 * One document of named operations. The first one lists what there is, others need an array to show or a store to write:
 * without one, there are fewer. Never fails.
 */
export async function exampleDocument(stores: readonly StoreModel[]): Promise<string> {
  return [hints, ...(await exampleOperations(stores))].join('\n');
}

async function exampleOperations(stores: readonly StoreModel[]): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(MAX_SEARCH_MS);
  const writable = stores.find((store) => store.writable);
  const changing = writable === undefined ? [] : [writingQuery(writable.name), changesQuery(writable.name)];
  for (const store of stores.slice(0, MAX_STORES)) {
    const array = await findArray(store, signal);
    if (array === undefined) continue;
    const around = await datasetQueries(store, array, signal);
    return [listing, ...arrayQueries(store.name, array), ...around, ...changing];
  }
  return [listing, ...changing];
}

/** One that has a plane to show, if the first nodes hold any; undefined where there is none, or none in time. */
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
    // A store that does not answer has no example; whoever asks it for more is told why.
  }
  return other;
}

/** Arrays with values to show. */
function opened(entry: NodeEntry): ZarrArray | undefined {
  if (entry.kind === 'group') return undefined;
  try {
    const node = entry.open();
    if (node instanceof ZarrArray && !('unsupported' in node.meta.chain) && !node.shape.includes(0))
      return node;
  } catch {
    // Not every node can be opened.
  }
  return undefined;
}

function arrayQueries(store: string, array: ZarrArray): string[] {
  const place = `store(name: ${text(store)}) {
    array(path: ${text(array.path)})`;
  const about = `# What is known of an array without reading its values, and what reading all of them would take.
query Array {
  ${place} {
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
  const values = `# A piece from the middle of it. Selections are written as in Python; a slice is read only where values are asked for.
query Values {
  ${place} {
      slice(select: { text: ${text(pieceOf(array))} }) {
        shape
        values
        base64 { dtype data }
      }
    }
  }
}
`;
  const named = array.dimensionNames.every((name) => name !== null) && array.shape.length > 0;
  return named ? [about, values, namedQuery(place, array)] : [about, values];
}

/** From the middle, where edges and land are far: single places but for the last two dimensions. */
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

function namedQuery(place: string, { shape, dimensionNames }: ZarrArray): string {
  const last = shape.length - 1;
  const chosen = dimensionNames.map((name, d) => {
    const length = shape[d] ?? 0;
    const by = d === last ? `slice: { stop: ${Math.min(length, 8)} }` : `index: ${Math.floor(length / 2)}`;
    return `{ dim: ${text(name ?? '')}, by: { ${by} } }`;
  });
  return `# A row of it by the names of dimensions, in any order; those left out are taken whole.
query ByName {
  ${place} {
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

/** None where the array has no group above it. */
async function datasetQueries(
  { name, hierarchy }: StoreModel,
  { path }: ZarrArray,
  signal: AbortSignal,
): Promise<string[]> {
  const parent = path.slice(0, path.lastIndexOf('/')) || '/';
  const group = await hierarchy.node(parent, { signal }).catch(() => undefined);
  if (group?.kind !== 'group') return [];
  const example = `# The group around it as one dataset, decoded by the CF conventions.
query Dataset {
  store(name: ${text(name)}) {
    dataset(path: ${text(parent)}) {
      dimensions { name size }
      variables(kind: DATA) { name longName units shape }
    }
  }
}
`;
  return [example];
}

function writingQuery(store: string): string {
  return `# This store can be written. Each field stands alone: one that fails leaves what the others did.
mutation Write {
  createArray(
    input: { store: ${text(store)}, path: "example", shape: [2, 3], dtype: "float32", ifExists: KEEP }
  ) {
    path
  }
  writeSlice(input: { store: ${text(store)}, path: "example", select: { text: "0" }, values: [1, 2.5, "NaN"] }) {
    chunksWritten
    array { slice { values } }
  }
}
`;
}

function changesQuery(store: string): string {
  return `# What is written through this gateway, as it happens. Run it, then the mutation in another tab.
subscription Changes {
  changes(store: ${text(store)}) {
    kind
    path
    region { start stop }
  }
}
`;
}

/** A string of the query language: JSON's strings are such. */
function text(value: string): string {
  return JSON.stringify(value);
}
