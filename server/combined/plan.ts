/** The plan of a combined store: its documents, and the arrays whose chunks are read from the members. */
import { createHash } from 'node:crypto';
import { defined } from '../../wire/guards.js';
import { type Documents, isJsonObject, type JsonValue, printJson } from '../zarr/index.js';
import type { CombinedArray } from './combined-array.js';
import type { CombinedArrays } from './combine-arrays.js';
import { documentsOf, type MemberFacts } from './member-facts.js';

export interface PlannedObject {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** An array, with what is needed to find its chunks. */
export interface PlannedArray extends CombinedArray {
  /** Number of stored objects along each dimension. */
  readonly counts: readonly number[];
  /** Changes with the documents and with the positions of the members. */
  readonly version: string;
}

export interface CombinedPlan {
  readonly members: readonly MemberFacts[];
  /** The metadata documents, by key. */
  readonly documents: ReadonlyMap<string, PlannedObject>;
  /** By path, without the leading slash. */
  readonly arrays: ReadonlyMap<string, PlannedArray>;
}

export function planOf({ members, format, groups, arrays }: CombinedArrays): CombinedPlan {
  const documents = new Map<string, PlannedObject>();
  const all = new Map<string, JsonValue>();
  const put = (path: string, own: Documents): void => {
    for (const [name, document] of Object.entries(own)) {
      if (name === '.zmetadata') continue;
      all.set(path === '' ? name : `${path}/${name}`, plainGroup(document));
    }
  };
  for (const [path, text] of groups) put(path, documentsOf(text));
  const planned = new Map<string, PlannedArray>();
  for (const array of arrays) {
    put(array.path, array.documents);
    planned.set(array.path, plannedArray(array, members));
  }
  if (format === 3) {
    const root = all.get('zarr.json');
    const metadata: Record<string, JsonValue> = {};
    for (const [key, document] of all) if (key !== 'zarr.json') metadata[key.slice(0, -'/zarr.json'.length)] = document; // prettier-ignore
    const consolidated = { kind: 'inline', must_understand: false, metadata };
    all.set('zarr.json', { ...(isJsonObject(root) ? root : {}), consolidated_metadata: consolidated });
  } else all.set('.zmetadata', { zarr_consolidated_format: 1, metadata: Object.fromEntries(all) });
  for (const [key, document] of all)
    documents.set(key, objectOf(new TextEncoder().encode(printJson(document))));
  return { members, documents, arrays: planned };
}

/** Consolidated metadata of a member does not describe the combined store. */
function plainGroup(document: JsonValue): JsonValue {
  if (!isJsonObject(document) || document['consolidated_metadata'] === undefined) return document;
  const { consolidated_metadata: _, ...rest } = document;
  return rest;
}

function objectOf(bytes: Uint8Array): PlannedObject {
  return { bytes, version: digest(bytes) };
}

export function digest(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('base64url').slice(0, 22);
}

function plannedArray(array: CombinedArray, members: readonly MemberFacts[]): PlannedArray {
  const { documents, shape, objectShape, source } = array;
  const parts = 'parts' in source ? source.parts.map(({ member, start }) => [defined(members[member]).member.name, start]) : []; // prettier-ignore
  return {
    ...array,
    counts: array.counts ?? shape.map((size, d) => Math.ceil(size / defined(objectShape[d]))),
    version:
      source.kind === 'held'
        ? digest(source.bytes)
        : digest(`${printJson(documents)}${JSON.stringify(parts)}`),
  };
}
