/** Derives consolidated metadata from the documents in references, so that nodes are found without listing millions of keys. */
import { isZarrError } from '../../core/errors.js';
import type { MemberIndex, MemberSpan } from '../../core/bytes/member-index.js';
import { parseJsonSteps } from '../../core/bytes/parse-json.js';
import { encodeUtf8 } from '../../core/bytes/text.js';
import { inTurns } from '../../core/turns.js';
import { sortedInSteps } from '../sort-in-steps.js';

const names = ['.zgroup', '.zarray', '.zattrs'];
const START = encodeUtf8('{"zarr_consolidated_format":1,"metadata":{');
const END = encodeUtf8('}}');
const NULL = encodeUtf8('null');

/**
 * @param textOf returns a document that is part of the references; undefined for others
 * @returns undefined if there are no documents of version 2, consolidated metadata exists, or a document is elsewhere
 */
export function consolidate(
  index: MemberIndex,
  textOf: (span: MemberSpan) => Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  return inTurns(steps(index, textOf));
}

function* steps(
  index: MemberIndex,
  textOf: (span: MemberSpan) => Uint8Array | undefined,
): Generator<void, Uint8Array | undefined, void> {
  if (index.get('.zmetadata') !== undefined || index.get('zarr.json') !== undefined) return undefined;
  const keys = yield* sortedInSteps(yield* index.keysNamed(names));
  if (keys.length === 0) return undefined;
  const pieces: Uint8Array[] = [START];
  for (const [i, key] of keys.entries()) {
    const span = index.get(key);
    const text = span === undefined ? undefined : textOf(span);
    if (text === undefined) return undefined;
    pieces.push(encodeUtf8(`${i === 0 ? '' : ','}${JSON.stringify(key)}:`), yield* documentIn(text));
    yield;
  }
  pieces.push(END);
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** The document, or null in place of an invalid one, which is then an error of its node only. */
function* documentIn(text: Uint8Array): Generator<void, Uint8Array, void> {
  try {
    yield* parseJsonSteps(text);
    return text;
  } catch (error) {
    if (isZarrError(error, 'INVALID_METADATA') || isZarrError(error, 'LIMIT_EXCEEDED')) return NULL;
    throw error;
  }
}
