/**
 * Edits consolidated metadata as text: adds, replaces or removes the entries of nodes and keeps everything
 * else, except indentation. Runs in time slices, because the text can have hundreds of megabytes.
 */
import { defined } from '../../../wire/guards.js';
import { sameBytes } from '#platform';
import { ByteSink } from '../../core/bytes/byte-sink.js';
import { compactSteps } from '../../core/bytes/print-json.js';
import { isJsonObject, type JsonValue } from '../../core/bytes/json.js';
import { parseJson } from '../../core/bytes/parse-json.js';
import {
  withoutConsolidated,
  ConsolidatedScan,
  type ScannedMember,
  type DocumentSpan,
} from '../../format/metadata/consolidated.js';
import type { Documents } from '../../format/metadata/model.js';
import { withoutSpan } from '../documents/without-span.js';
import { joinKey } from '../../store/keys.js';
import { printCompact } from './print-document.js';

export interface HolderText {
  readonly name: 'zarr.json' | '.zmetadata';
  readonly bytes: Uint8Array;
}

/** The new state of a node below the holder. */
export interface RelativeChange {
  /** Prefix of the node relative to the group; "" for the group. */
  readonly relative: string;
  /** The documents of the node; undefined if the node and everything below it was deleted. */
  readonly documents: Documents | undefined;
}

interface Edit extends DocumentSpan {
  readonly text: Uint8Array;
}

const STEP_BYTES = 64 * 1024;
const STEP_MEMBERS = 1024;
/** Maximum length of members, in bytes, that are compared as JSON. Longer members are compared as text. */
const MAX_COMPARED = 64 * 1024;
const nothing = new Uint8Array(0);
const encoder = new TextEncoder();
const v2Names: readonly string[] = ['.zarray', '.zgroup', '.zattrs'];

/** @throws MetadataError or UnsupportedError for consolidated metadata that cannot be read */
export function* scanSteps({ name, bytes }: HolderText): Generator<void, ConsolidatedScan, void> {
  const scan = new ConsolidatedScan(bytes, name);
  while (!scan.run(STEP_BYTES)) yield;
  return scan;
}

/**
 * @param changes changes in order of application
 * @returns the changed text; undefined if nothing changes, or there is no consolidated metadata
 * @throws MetadataError or UnsupportedError for consolidated metadata that cannot be read
 */
export function* changeSteps(
  holder: HolderText,
  changes: readonly RelativeChange[],
): Generator<void, Uint8Array | undefined, void> {
  const scan = yield* scanSteps(holder);
  const outer = scan.members[0]?.members;
  if (outer === undefined) return undefined;
  const outcome = outcomeOf(changes, holder.name);
  const edits = holder.name === 'zarr.json' ? yield* editsV3(scan, outcome) : yield* editsV2(scan, outcome);
  if (edits.length === 0) return undefined;
  const changed = yield* applySteps(holder.bytes, edits);
  // Removes the white space of indented text, which can make up most of its length.
  const isIndented = /\s/.test(String.fromCharCode(defined(holder.bytes[outer.start + 1])));
  return isIndented ? yield* compactSteps(changed) : changed;
}

/** Appends members to the consolidated metadata. */
export function* appendSteps(
  holder: HolderText,
  members: readonly (readonly [key: string, document: Uint8Array])[],
): Generator<void, Uint8Array, void> {
  const scan = yield* scanSteps(holder);
  const outer = scan.members[0]?.members;
  if (outer === undefined || members.length === 0) return holder.bytes;
  const own = scan.members.filter(({ parent }) => parent === 0);
  const end = own.at(-1)?.end ?? outer.start + 1;
  const edits: Edit[] = [];
  for (const [i, [key, document]] of members.entries()) {
    if (i % STEP_MEMBERS === 0) yield;
    edits.push({
      start: end,
      end,
      text: encoder.encode(`${i + own.length > 0 ? ',' : ''}${JSON.stringify(key)}:`),
    });
    edits.push({ start: end, end, text: document });
  }
  return yield* applySteps(holder.bytes, edits);
}

function* editsV3(scan: ConsolidatedScan, outcome: Outcome): Generator<void, Edit[], void> {
  const siblings = new Map<number, ScannedMember[]>([[0, []]]);
  const gone = new Set<ScannedMember>();
  /** Members whose nested members need no change, because they are removed or do not apply. */
  const closed = new Set<ScannedMember>();
  const edits: Edit[] = [];
  const listed = new Set<string>();
  const paths: string[] = [''];
  for (const [i, member] of scan.members.entries()) {
    if (i % STEP_MEMBERS === 0) yield;
    if (i === 0) continue;
    const path = joinKey(paths[member.parent] ?? '', member.key.replace(/^\/|\/$/g, ''));
    paths.push(path);
    const parent = scan.members[member.parent];
    if (parent?.members === undefined || closed.has(parent)) {
      closed.add(member);
      continue;
    }
    const beside = siblings.get(member.parent) ?? [];
    siblings.set(member.parent, beside);
    beside.push(member);
    const document = outcome.written.get(path)?.['zarr.json'];
    const isGone = isAtOrBelow(path, outcome.deleted);
    if (document === undefined) {
      if (isGone) gone.add(member);
    } else {
      if (member.parent === 0) listed.add(path);
      edits.push(...replacement(scan, member, document, !isGone));
    }
    if (isGone) closed.add(member);
  }
  for (const beside of siblings.values()) edits.push(...removals(beside, gone));
  const added = [...outcome.written].flatMap(([path, documents]): [string, JsonValue][] => {
    const document = documents['zarr.json'];
    return document === undefined || listed.has(path)
      ? []
      : [[path, isJsonObject(document) ? withoutConsolidated(document) : document]];
  });
  if (added.length > 0) edits.push(addition(scan, siblings.get(0) ?? [], gone, added));
  return edits;
}

function* editsV2(scan: ConsolidatedScan, outcome: Outcome): Generator<void, Edit[], void> {
  const gone = new Set<ScannedMember>();
  const listed = new Set<string>();
  const edits: Edit[] = [];
  const members = scan.members.slice(1);
  for (const [i, member] of members.entries()) {
    if (i % STEP_MEMBERS === 0) yield;
    const node = member.key.slice(0, Math.max(0, member.key.lastIndexOf('/')));
    const name = member.key.slice(member.key.lastIndexOf('/') + 1);
    const documents = outcome.written.get(node);
    const isKnown = v2Names.includes(name);
    const document = isKnown ? documents?.[name] : undefined;
    if (document !== undefined) {
      listed.add(member.key);
      const text = printCompact(document);
      if (!isSameText(scan.bytes.subarray(member.start, member.end), text))
        edits.push({ start: member.start, end: member.end, text });
    } else if ((isKnown && documents !== undefined) || isAtOrBelow(node, outcome.deleted)) gone.add(member);
  }
  edits.push(...removals(members, gone));
  const added = [...outcome.written].flatMap(([node, documents]) =>
    Object.entries(documents)
      .map(([name, document]): [string, string, JsonValue] => [name, joinKey(node, name), document])
      .filter(([name, key]) => v2Names.includes(name) && !listed.has(key))
      .map(([, key, document]): [string, JsonValue] => [key, document]),
  );
  if (added.length > 0) edits.push(addition(scan, members, gone, added));
  return edits;
}

/** The combined outcome of several changes. */
interface Outcome {
  /** Existing nodes, with their documents. */
  readonly written: ReadonlyMap<string, Documents>;
  /** Nodes below which all other entries are removed. */
  readonly deleted: ReadonlySet<string>;
}

function outcomeOf(changes: readonly RelativeChange[], name: HolderText['name']): Outcome {
  const written = new Map<string, Documents>();
  const deleted = new Set<string>();
  for (const { relative, documents } of changes) {
    // The document of the group is not a member.
    if (name === 'zarr.json' && relative === '') continue;
    if (documents !== undefined && (name === '.zmetadata' || documents['zarr.json'] !== undefined)) {
      written.set(relative, documents);
      continue;
    }
    deleted.add(relative);
    for (const path of [...written.keys()]) if (isAtOrBelow(path, new Set([relative]))) written.delete(path);
  }
  return { written, deleted };
}

/** Whether a member equals the text, apart from formatting. */
function isSameText(before: Uint8Array, text: Uint8Array): boolean {
  if (sameBytes(before, text)) return true;
  if (before.length > MAX_COMPARED) return false;
  try {
    return sameBytes(printCompact(parseJson(before)), text);
  } catch {
    return false;
  }
}

/** Removes members from one object, including the commas between them. */
function removals(members: readonly ScannedMember[], gone: ReadonlySet<ScannedMember>): Edit[] {
  if (gone.size === 0) return [];
  const firstKept = members.findIndex((member) => !gone.has(member));
  const edits: Edit[] = [];
  for (const [i, member] of members.entries()) {
    if (!gone.has(member)) continue;
    const isBefore = firstKept < 0 || i < firstKept;
    const start = isBefore ? member.keyStart : (members[i - 1]?.end ?? member.keyStart);
    const end = isBefore ? (members[i + 1]?.keyStart ?? member.end) : member.end;
    edits.push({ start, end, text: nothing });
  }
  return edits;
}

function addition(
  scan: ConsolidatedScan,
  members: readonly ScannedMember[],
  gone: ReadonlySet<ScannedMember>,
  added: readonly (readonly [key: string, document: JsonValue])[],
): Edit {
  const at = members.at(-1)?.end ?? (scan.members[0]?.members?.start ?? 0) + 1;
  const isFirst = members.length === gone.size;
  const text = added.map(([key, document]) => {
    const printed = new TextDecoder().decode(printCompact(document));
    return `${JSON.stringify(key)}:${printed}`;
  });
  return { start: at, end: at, text: encoder.encode(`${isFirst ? '' : ','}${text.join(',')}`) };
}

/** @param keeps whether a nested group keeps its consolidated metadata */
function replacement(
  { bytes }: ConsolidatedScan,
  member: ScannedMember,
  document: JsonValue,
  keeps: boolean,
): Edit[] {
  const { start, end, consolidated } = member;
  const text = printCompact(isJsonObject(document) ? withoutConsolidated(document) : document);
  if (!keeps || consolidated === undefined || !isJsonObject(document))
    return isSameText(bytes.subarray(start, end), text) ? [] : [{ start, end, text }];
  if (
    isSameText(
      withoutSpan(bytes, member, consolidated),
      printCompact({ ...document, consolidated_metadata: null }),
    )
  )
    return [];
  const head = new ByteSink();
  head.push(text.subarray(0, -1), encoder.encode(`${text.length > 2 ? ',' : ''}"consolidated_metadata":`));
  return [
    { start, end: consolidated.start, text: head.bytes },
    { start: consolidated.end, end, text: encoder.encode('}') },
  ];
}

/** @param edits edits that do not overlap; insertions at the same position keep their order */
function* applySteps(bytes: Uint8Array, edits: readonly Edit[]): Generator<void, Uint8Array, void> {
  const sorted = edits
    .map((edit, i) => ({ edit, i }))
    .toSorted((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.i - b.i)
    .map(({ edit }) => edit);
  const length = sorted.reduce(
    (sum, { start, end, text }) => sum + text.length - (end - start),
    bytes.length,
  );
  const result = new Uint8Array(length);
  let from = 0;
  let to = 0;
  function* copy(end: number): Generator<void, void, void> {
    while (from < end) {
      const piece = bytes.subarray(from, Math.min(end, from + 2 ** 20));
      result.set(piece, to);
      to += piece.length;
      from += piece.length;
      if (piece.length === 2 ** 20) yield;
    }
  }
  for (const [i, { start, end, text }] of sorted.entries()) {
    if (i % STEP_MEMBERS === 0) yield;
    yield* copy(start);
    result.set(text, to);
    to += text.length;
    from = Math.max(from, end);
  }
  yield* copy(bytes.length);
  return result;
}

function isAtOrBelow(path: string, tops: ReadonlySet<string>): boolean {
  if (tops.size === 0) return false;
  if (tops.has('') || tops.has(path)) return true;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    if (tops.has(path.slice(0, slash))) return true;
  return false;
}
