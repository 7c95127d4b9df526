/** References in a JSON document: kerchunk's versions 0 and 1. */
import { describeJson } from '../../core/bytes/print-json.js';
import { isJsonList, isJsonObject } from '../../core/bytes/json.js';
import { type MemberIndex, MemberIndexBuilder, type MemberSpan } from '../../core/bytes/member-index.js';
import {
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonReader,
  OPEN_LIST,
  OPEN_OBJECT,
  parseJson,
} from '../../core/bytes/parse-json.js';
import { encodeUtf8 } from '../../core/bytes/text.js';
import { MetadataError, UnsupportedError } from '../../core/errors.js';
import { createPause, inTurns } from '../../core/turns.js';
import { latin1FromBytes } from '#platform';
import { sortedInSteps } from '../sort-in-steps.js';
import type { Listing, ReadOptions, StoredObject } from '../store.js';
import { consolidate } from './consolidate.js';
import type { ReferenceSet } from './reference-set.js';
import {
  assertInlineLength,
  MAX_VALUE_BYTES,
  type Reference,
  virtualTarget,
  type Templates,
} from './reference.js';

const QUOTE = 0x22;
const BASE64 = encodeUtf8('"base64:');
const MAX_TEMPLATES = 1000;
/** Maximum size, in bytes, of what is parsed beside the references. */
const MAX_PART_BYTES = 2 ** 20;
const PIECE_BYTES = 64 * 1024;

interface Parsed {
  readonly index: MemberIndex;
  readonly templates: Templates;
}

/**
 * Indexes a document. The event loop is not blocked.
 * @throws MetadataError for another document; UnsupportedError for another version, and for generated references
 */
export async function openJsonReferences(bytes: Uint8Array, base: string): Promise<ReferenceSet> {
  const { index, templates } = await inTurns(parse(bytes));
  const context = { templates, base };
  const consolidated = await consolidate(index, (span) => inlineTextOf(bytes, span));

  function find(key: string): Reference | undefined {
    const span = index.get(key);
    return span === undefined ? undefined : referenceAt(span);
  }

  function referenceAt(span: MemberSpan): Reference {
    const first = bytes[span.start];
    if (first === QUOTE || first === OPEN_OBJECT) return { kind: 'inline', bytes: inlineBytes(bytes, span) };
    const value = first === OPEN_LIST ? parsePart(bytes, span) : undefined;
    if (!isJsonList(value) || (value.length !== 1 && value.length !== 3))
      throw new MetadataError('a reference is neither text nor a list of an address, an offset and a length');
    const [url, offset, length] = value;
    return { kind: 'target', target: virtualTarget(url, offset, length, context) };
  }

  function sizeOf(key: string): number {
    const found = find(key);
    if (found === undefined) return 0;
    return found.kind === 'inline' ? found.bytes.length : (found.target.length ?? 0);
  }

  return {
    consolidated,
    find: (keys) => keys.map((key) => find(key)),
    async list(folder): Promise<Listing> {
      const { keys, folders } = await inTurns(index.below(folder));
      return { keys: await inTurns(sortedInSteps(keys)), folders: await inTurns(sortedInSteps(folders)) };
    },
    async *walk(folder, options?: ReadOptions): AsyncGenerator<StoredObject> {
      const pause = createPause(options?.signal);
      for (const key of await inTurns(sortedInSteps(await inTurns(index.allBelow(folder))))) {
        yield { key, bytes: sizeOf(key) };
        await pause();
      }
    },
  };
}

/** Finds the references in the document, which are its members in version 0, and those of `refs` in version 1. */
function* parse(bytes: Uint8Array): Generator<void, Parsed, void> {
  const reader = new JsonReader(bytes);
  if (reader.peek() !== OPEN_OBJECT) throw new MetadataError('the references are not a JSON object');
  reader.at++;
  const members = new MemberIndexBuilder(reader);
  let refs: MemberIndexBuilder | undefined;
  const parts = new Map<string, MemberSpan>();
  for (let isFirst = true; reader.peek() !== CLOSE_OBJECT; isFirst = false) {
    if (!isFirst) reader.take(COMMA);
    reader.peek();
    const keyStart = reader.at;
    const key = reader.key();
    reader.take(COLON);
    if (key === 'refs' && reader.peek() === OPEN_OBJECT) {
      if (refs !== undefined) throw new MetadataError('the references have two members "refs"');
      refs = new MemberIndexBuilder(reader);
      yield* refs.object();
      continue;
    }
    reader.peek();
    const start = reader.at;
    for (let until = start + PIECE_BYTES; !reader.skip(until); until = reader.at + PIECE_BYTES) yield;
    if (keyStart % PIECE_BYTES > reader.at % PIECE_BYTES) yield;
    if (key === 'version' || key === 'templates' || key === 'gen') parts.set(key, { start, end: reader.at });
    else members.add(keyStart);
  }
  reader.at++;
  reader.end();
  if (refs === undefined) {
    if (parts.has('version')) throw new MetadataError('the references have a version, but no member "refs"');
    return { index: yield* members.finish(), templates: new Map() };
  }
  assertVersion(bytes, parts.get('version'));
  assertNotGenerated(bytes, parts.get('gen'));
  return { index: yield* refs.finish(), templates: templatesOf(bytes, parts.get('templates')) };
}

function assertVersion(bytes: Uint8Array, span: MemberSpan | undefined): void {
  const version = span === undefined ? 1 : parsePart(bytes, span);
  if (version !== 1 && version !== 0)
    throw new UnsupportedError(
      `references of version ${describeJson(version)}; versions 0 and 1 are supported`,
    );
}

function assertNotGenerated(bytes: Uint8Array, span: MemberSpan | undefined): void {
  if (span === undefined) return;
  const gen = parsePart(bytes, span);
  if (gen === null || (Array.isArray(gen) && gen.length === 0)) return;
  throw new UnsupportedError(
    'the references are generated by expressions ("gen"), which are not supported; write them out with kerchunk: fsspec.implementations.reference with simple_templates=False',
  );
}

function templatesOf(bytes: Uint8Array, span: MemberSpan | undefined): Templates {
  const templates = new Map<string, string>();
  const value = span === undefined ? {} : parsePart(bytes, span);
  if (!isJsonObject(value)) throw new MetadataError('the templates of the references are not an object');
  const entries = Object.entries(value);
  if (entries.length > MAX_TEMPLATES)
    throw new MetadataError(`the references have more than ${MAX_TEMPLATES} templates`);
  for (const [name, text] of entries) {
    if (typeof text !== 'string') throw new MetadataError('a template of the references is not text');
    templates.set(name, text);
  }
  return templates;
}

function parsePart(bytes: Uint8Array, { start, end }: MemberSpan): ReturnType<typeof parseJson> {
  if (end - start > MAX_PART_BYTES)
    throw new MetadataError(`a part of the references has more than ${MAX_PART_BYTES} bytes`);
  return parseJson(bytes.subarray(start, end));
}

/** The text of a document that is not in base64, for metadata. */
function inlineTextOf(bytes: Uint8Array, span: MemberSpan): Uint8Array | undefined {
  const first = bytes[span.start];
  return first === QUOTE || first === OPEN_OBJECT ? inlineBytes(bytes, span) : undefined;
}

function inlineBytes(bytes: Uint8Array, { start, end }: MemberSpan): Uint8Array {
  // Base64 takes a third more, and escapes take six characters for one.
  if (end - start > 2 * MAX_VALUE_BYTES) assertInlineLength(end - start);
  if (bytes[start] === OPEN_OBJECT) return bytes.subarray(start, end);
  if (BASE64.every((byte, i) => bytes[start + i] === byte))
    return fromBase64(latin1FromBytes(bytes, start + BASE64.length, end - 1));
  const text = parseJson(bytes.subarray(start, end));
  if (typeof text !== 'string') throw new MetadataError('a reference is not text');
  if (text.startsWith('base64:')) return fromBase64(text.slice('base64:'.length));
  return encodeUtf8(text);
}

function fromBase64(text: string): Uint8Array {
  const plain = /[\\\s]/.test(text) ? text.replace(/\\\//g, '/').replace(/\\n|\s/g, '') : text;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain))
    throw new MetadataError('a value within references is not valid base64');
  const decoded = Buffer.from(plain, 'base64');
  return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.length);
}
