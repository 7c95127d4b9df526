/**
 * Consolidated metadata: the documents of all nodes below a group in one document. v2 keeps them in `.zmetadata`
 * with flat keys (`a/b/.zarray`), v3 in the group's zarr.json under `consolidated_metadata`, by path (`a/b`);
 * nested groups may have consolidated metadata too. Neither form is specified; both are conventions of
 * zarr-python. The scan runs in steps, because such a document can have hundreds of megabytes. An invalid member
 * is an error only for callers that open that node.
 */
import { describeJson } from '../../core/bytes/print-json.js';
import { type JsonObject, type JsonValue, keepFloats } from '../../core/bytes/json.js';
import {
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonReader,
  OPEN_OBJECT,
  parseJson,
  quoted,
} from '../../core/bytes/parse-json.js';
import { MetadataError, UnsupportedError } from '../../core/errors.js';
import { metadataBounds } from '../../core/limits.js';

/** A `.zmetadata` document without members. */
export const emptyConsolidatedV2: JsonObject = { zarr_consolidated_format: 1, metadata: {} };

/** A v3 group's document with consolidated metadata that has no members. */
export function withEmptyConsolidated(group: JsonObject): JsonObject {
  const consolidated_metadata = { kind: 'inline', must_understand: false, metadata: {} };
  return keepFloats({ ...group, consolidated_metadata }, group);
}

/** Removes consolidated metadata from a v3 document. */
export function withoutConsolidated(document: JsonObject): JsonObject {
  if (!('consolidated_metadata' in document)) return document;
  const { consolidated_metadata: _, ...rest } = document;
  return keepFloats(rest, document);
}

/** A range of bytes of the text; `end` is exclusive. */
export interface DocumentSpan {
  readonly start: number;
  readonly end: number;
}

/** A member of consolidated metadata, or (at index 0) the document that contains it. */
export interface ScannedMember {
  /** The key as written: "a/b" (v3) or "a/b/.zarray" (v2); "" for the document. */
  readonly key: string;
  /** Index of the document or group that contains it; -1 for the document. */
  readonly parent: number;
  /** Position of the start of `"key": value`. */
  readonly keyStart: number;
  start: number;
  end: number;
  /** The value of `node_type`, if it is valid. */
  kind: 'array' | 'group' | undefined;
  /** The value of `consolidated_metadata`, if the member has one. */
  consolidated: DocumentSpan | undefined;
  /** The object with the members of this member, if it is a group. */
  members: DocumentSpan | undefined;
}

interface Frame {
  readonly role: 'node' | 'consolidated' | 'members' | 'zmetadata';
  /** Index of the member that the object belongs to. */
  readonly owner: number;
  readonly start: number;
  isFirst: boolean;
  /** The key whose value is being read. */
  key: string;
  /** Locations of the values of relevant keys. */
  readonly values: Map<string, DocumentSpan>;
}

const relevant: Readonly<Record<Frame['role'], readonly string[]>> = {
  node: ['node_type', 'consolidated_metadata'],
  consolidated: ['kind', 'must_understand', 'metadata'],
  zmetadata: ['zarr_consolidated_format', 'metadata', 'record_size'],
  members: [],
};

/** Maximum size, in bytes, of a value that is parsed. Longer values are only located. */
const MAX_WORD_BYTES = 1024;

export class ConsolidatedScan {
  readonly members: ScannedMember[] = [];
  /** Whether kerchunk wrote the document: parquet files beside it refer to the chunks, which therefore seem to be absent. */
  refersToParquet = false;
  readonly #reader: JsonReader;
  readonly #frames: Frame[] = [];
  /** Start of the value that is being skipped; -1 if no value is. */
  #skipped = -1;
  #isDone = false;

  /** @param name name of the document */
  constructor(
    readonly bytes: Uint8Array,
    readonly name: 'zarr.json' | '.zmetadata',
  ) {
    this.#reader = new JsonReader(bytes);
    if (this.#reader.peek() !== OPEN_OBJECT) throw new MetadataError(`${name} is not a JSON object`);
    this.#addMember('', -1, this.#reader.at);
    this.#open(name === 'zarr.json' ? 'node' : 'zmetadata', 0);
  }

  /**
   * Scans about `bytes` more bytes.
   * @returns whether the scan is complete
   * @throws MetadataError for invalid JSON or missing parts; UnsupportedError for an unknown kind or format
   */
  run(bytes: number): boolean {
    const until = this.#reader.at + bytes;
    while (!this.#isDone) {
      if (this.#skipped >= 0) {
        if (!this.#reader.skip(until)) return false;
        // A skipped member has no members, so it is the last one found.
        const last = this.#frames.at(-1)?.role === 'members' ? this.members.at(-1) : undefined;
        if (last !== undefined) last.end = this.#reader.at;
        this.#ended(this.#skipped);
      } else if (this.#reader.at >= until) return false;
      else this.#step();
    }
    return true;
  }

  /** Reads a key and the start of its value, or the end of the object. */
  #step(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return this.#finish();
    const reader = this.#reader;
    if (reader.peek() === CLOSE_OBJECT) {
      reader.at++;
      return this.#close(frame);
    }
    if (!frame.isFirst) {
      reader.take(COMMA);
      reader.peek();
    }
    frame.isFirst = false;
    const keyStart = reader.at;
    frame.key = reader.key();
    reader.take(COLON);
    const isObject = reader.peek() === OPEN_OBJECT;
    if (frame.values.has(frame.key))
      throw reader.error(`the key ${quoted(frame.key)} is repeated in an object`, keyStart);
    if (frame.role === 'members') {
      const member = this.#addMember(frame.key, frame.owner, keyStart);
      if (isObject && this.name === 'zarr.json') return this.#open('node', member);
    } else if (isObject) {
      if (frame.role === 'node' && frame.key === 'consolidated_metadata')
        return this.#open('consolidated', frame.owner);
      if (frame.role !== 'node' && frame.key === 'metadata') return this.#open('members', frame.owner);
    }
    this.#skipped = reader.at;
  }

  #addMember(key: string, parent: number, keyStart: number): number {
    const start = this.#reader.at;
    const none = { kind: undefined, consolidated: undefined, members: undefined };
    return this.members.push({ key, parent, keyStart, start, end: start, ...none }) - 1;
  }

  #open(role: Frame['role'], owner: number): void {
    if (this.#frames.length >= metadataBounds.maxDepth)
      throw new MetadataError(`${this.name} is nested deeper than ${metadataBounds.maxDepth} levels`);
    this.#frames.push({ role, owner, start: this.#reader.at, isFirst: true, key: '', values: new Map() });
    this.#reader.at++;
  }

  #close(frame: Frame): void {
    this.#frames.pop();
    const member = this.members[frame.owner];
    if (member !== undefined) {
      if (frame.role === 'node') this.#closeNode(frame, member);
      else if (frame.role !== 'members') this.#closeHolder(frame, member);
    }
    this.#ended(frame.start);
  }

  #closeNode({ values }: Frame, member: ScannedMember): void {
    member.end = this.#reader.at;
    const kind = this.#word(values.get('node_type'));
    member.kind = kind === 'array' || kind === 'group' ? kind : undefined;
    const span = values.get('consolidated_metadata');
    // Only groups have members. Opening any other node reports the error.
    if (member.kind !== 'group') member.members = undefined;
    if (span === undefined) return;
    member.consolidated = span;
    if (this.bytes[span.start] !== OPEN_OBJECT && this.#word(span) !== null && member.kind === 'group')
      throw new MetadataError(
        `consolidated_metadata is ${describeJson(this.#word(span))}; expected an object`,
      );
  }

  #closeHolder({ role, values }: Frame, member: ScannedMember): void {
    const holder = role === 'zmetadata' ? '.zmetadata' : 'consolidated_metadata';
    if (role === 'zmetadata') {
      this.refersToParquet = values.has('record_size');
      if (this.refersToParquet) return;
      const format = this.#word(values.get('zarr_consolidated_format'));
      if (format !== 1)
        throw new UnsupportedError(
          `.zmetadata: zarr_consolidated_format is ${describeJson(format)}; only 1 is supported`,
        );
    } else {
      const kind = this.#word(values.get('kind'));
      if (kind !== 'inline') {
        if (this.#word(values.get('must_understand')) === false) return;
        throw new UnsupportedError(
          `consolidated_metadata: kind is ${describeJson(kind)}; only "inline" is supported`,
        );
      }
    }
    const members = values.get('metadata');
    if (members === undefined || this.bytes[members.start] !== OPEN_OBJECT)
      throw new MetadataError(`${holder}: metadata is missing or not an object`);
    member.members = members;
  }

  /** Called at the end of the value of a key in the innermost object. */
  #ended(start: number): void {
    this.#skipped = -1;
    const frame = this.#frames.at(-1);
    const end = this.#reader.at;
    if (frame !== undefined && relevant[frame.role].includes(frame.key))
      frame.values.set(frame.key, { start, end });
  }

  #finish(): void {
    this.#reader.end();
    this.#isDone = true;
  }

  /** Parses a short value. A long one becomes '...', which differs from every valid value. */
  #word(span: DocumentSpan | undefined): JsonValue | undefined {
    if (span === undefined) return undefined;
    const { start, end } = span;
    if (end - start > MAX_WORD_BYTES) return '...';
    return parseJson(this.bytes.subarray(start, end));
  }
}
