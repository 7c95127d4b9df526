/**
 * Digest of a GraphQL result for ETags: different responses have different digests. Computed from the
 * values, which is much cheaper than writing them as text, and from the name of the media type.
 */
import { createHash } from 'node:crypto';
import { createPause } from '../zarr/index.js';
import { Base64Text } from './base64-text.js';
import { blockText } from './json/block-text.js';
import { JsonText } from './json/json-text.js';
import { NDArrayValue } from './nd-array-value.js';

/** Number of bytes to hash at once, which takes a few milliseconds. */
const PIECE_BYTES = 2 ** 21;
/** Short texts are joined, because each call to the hash costs as much as hashing a kilobyte. */
const JOINED_CHARACTERS = 2 ** 13;

export async function resultDigest(mediaType: string, result: unknown): Promise<string> {
  const hash = createHash('sha256').update(mediaType);
  let text = '';
  const pause = createPause();
  for (const piece of pieces(result)) {
    if (typeof piece === 'string') {
      text += piece;
      if (text.length < JOINED_CHARACTERS) continue;
    }
    hash.update(text, 'utf8');
    text = '';
    if (typeof piece !== 'string') hash.update(piece);
    await pause();
  }
  return hash.update(text, 'utf8').digest('base64url');
}

/** Serialises a result unambiguously: every part starts with its kind and has a known end. */
function* pieces(value: unknown): Generator<string | Uint8Array> {
  if (value instanceof NDArrayValue) yield* blockPieces(value);
  else if (value instanceof Base64Text) yield* bytesPieces(value.bytes);
  else if (value instanceof JsonText) yield* bytesPieces(value.bytes);
  else if (value instanceof Uint8Array) yield* bytesPieces(value);
  else if (Array.isArray(value)) {
    yield `[${value.length}:`;
    for (const item of value) yield* pieces(item);
  } else if (typeof value === 'object' && value !== null) {
    yield '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield JSON.stringify(key);
      yield* pieces(member);
    }
    yield '}';
  } else yield leafPiece(value);
}

function leafPiece(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `b${value};`;
  if (typeof value === 'number') return Object.is(value, -0) ? 'n-0;' : `n${value};`;
  return `${String(value)};`;
}

function* blockPieces({ block, nonFinite }: NDArrayValue): Generator<string | Uint8Array> {
  yield `<${nonFinite} ${JSON.stringify(block.dtype)} ${JSON.stringify(block.shape)}`;
  if ('bytes' in block) yield* bytesPieces(block.bytes);
  else yield* blockText(block, nonFinite);
  yield '>';
}

function* bytesPieces(bytes: Uint8Array): Generator<string | Uint8Array> {
  yield `x${bytes.length}:`;
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}
