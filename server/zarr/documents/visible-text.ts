/**
 * The text of a metadata document without the nodes that a caller may not see. Only members of consolidated metadata
 * name other nodes; the rest of the text stays byte for byte as it is stored.
 */
import { UnsupportedError } from '../../core/errors.js';
import { ConsolidatedScan, type ScannedMember } from '../../format/metadata/consolidated.js';
import { KERCHUNK_PARQUET } from '../../store/foreign-format.js';
import { joinKey } from '../../store/keys.js';

/** Bytes scanned, and members written, between two pauses. */
const PIECE_BYTES = 64 * 1024;
const PIECE_MEMBERS = 500;

const text = new TextEncoder();
const nullText = text.encode('null');
const comma = text.encode(',');
const openBrace = text.encode('{');
const closeBrace = text.encode('}');

/** Keys whose path is ambiguous, such as "a//b" or "/a". */
const ambiguous = /^\/|\/$|(?:^|\/)\.{0,2}(?:\/|$)/;

/**
 * The parts of the text; yields undefined between pieces of work.
 * @param bytes text of `name` of the group at `prefix`
 * @param canRead whether the caller may see the node at a path such as "/a/b"
 * @throws MetadataError for invalid JSON; UnsupportedError for consolidated metadata of an unknown form
 */
export function* visibleText(
  bytes: Uint8Array,
  name: 'zarr.json' | '.zmetadata',
  prefix: string,
  canRead: (path: string) => boolean,
): Generator<Uint8Array | undefined, void, void> {
  const scan = new ConsolidatedScan(bytes, name);
  while (!scan.run(PIECE_BYTES)) yield undefined;
  if (scan.refersToParquet) throw new UnsupportedError(KERCHUNK_PARQUET);
  const { members } = scan;
  const [document] = members;
  if (document === undefined) return;
  const children = new Map<number, number[]>();
  for (const [i, { parent }] of members.entries()) {
    if (i % PIECE_MEMBERS === 0) yield undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [i]);
    else siblings.push(i);
  }

  /** A value, without hidden members. The prefix of a member of v3 is that of its node. */
  function* valueOf(
    index: number,
    { start, end, consolidated, members: hole }: ScannedMember,
    below: string,
  ): Generator<Uint8Array | undefined, void, void> {
    if (hole === undefined) {
      // Consolidated metadata of an unknown kind may name any node.
      if (consolidated === undefined) yield bytes.subarray(start, end);
      else {
        yield bytes.subarray(start, consolidated.start);
        yield nullText;
        yield bytes.subarray(consolidated.end, end);
      }
      return;
    }
    yield bytes.subarray(start, hole.start);
    yield openBrace;
    let written = 0;
    for (const [at, child] of (children.get(index) ?? []).entries()) {
      if (at % PIECE_MEMBERS === 0) yield undefined;
      const member = members[child];
      if (member === undefined || ambiguous.test(member.key)) continue;
      const node = name === '.zmetadata' ? member.key.replace(/(?:^|\/)[^/]*$/, '') : member.key;
      const path = node === '' ? below : joinKey(below, node);
      if (!canRead(`/${path}`)) continue;
      if (written++ > 0) yield comma;
      yield bytes.subarray(member.keyStart, member.start);
      yield* valueOf(child, member, path);
    }
    yield closeBrace;
    yield bytes.subarray(hole.end, end);
  }
  // The document has nothing but spaces around it.
  yield* valueOf(0, { ...document, start: 0, end: bytes.length }, prefix);
}
