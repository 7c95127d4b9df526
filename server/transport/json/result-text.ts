/**
 * Writes a GraphQL result as JSON, in pieces. Uses an explicit stack instead of recursion, so that the caller
 * can yield to the event loop between two pieces.
 */
import { Base64Text } from '../base64-text.js';
import { NDArrayValue } from '../nd-array-value.js';
import type { BodyPiece } from '../time-sliced-body.js';
import { blockText } from './block-text.js';
import { JsonText } from './json-text.js';
import { PIECE_CHARACTERS } from './list-text.js';
import { sharedPieces } from './shared-text.js';
import { leafText } from './value-text.js';

/** A list or object being written. */
interface Frame {
  /** The names of the members of an object. */
  readonly keys: readonly string[] | undefined;
  readonly values: readonly unknown[];
  next: number;
  isEmpty: boolean;
}

/**
 * Yields pieces to concatenate. Strings have at least 64 Ki characters, except the last one and those before
 * a piece of bytes. Undefined members are omitted.
 */
export function* resultText(result: unknown): Generator<BodyPiece> {
  const stack: Frame[] = [];
  let text = '';
  let value = result;
  for (;;) {
    const long = longText(value);
    // Only `data` is shared, which is a member of the result.
    const shared =
      stack.length === 1 && typeof value === 'object' && value !== null
        ? sharedPieces(value, resultText)
        : undefined;
    if (shared !== undefined) {
      yield text;
      yield* shared;
      text = '';
    } else if (long !== undefined) {
      for (const piece of long) {
        if (typeof piece !== 'string') {
          yield text;
          yield piece;
          text = '';
          continue;
        }
        text += piece;
        if (text.length >= PIECE_CHARACTERS) {
          yield text;
          text = '';
        }
      }
    } else {
      const leaf = leafText(value);
      if (leaf !== undefined || typeof value !== 'object' || value === null) text += leaf ?? 'null';
      else if (Array.isArray(value)) {
        stack.push({ keys: undefined, values: value, next: 0, isEmpty: true });
        text += '[';
      } else {
        stack.push({ keys: Object.keys(value), values: Object.values(value), next: 0, isEmpty: true });
        text += '{';
      }
    }
    for (;;) {
      const frame = stack.at(-1);
      if (frame === undefined) {
        yield text;
        return;
      }
      const i = frame.next++;
      if (i === frame.values.length) {
        text += frame.keys === undefined ? ']' : '}';
        stack.pop();
        continue;
      }
      value = frame.values[i];
      const key = frame.keys?.[i];
      if (key !== undefined && value === undefined) continue;
      if (!frame.isEmpty) text += ',';
      frame.isEmpty = false;
      if (key !== undefined) text += `${JSON.stringify(key)}:`;
      break;
    }
    if (text.length >= PIECE_CHARACTERS) {
      yield text;
      text = '';
    }
  }
}

/** The pieces of a value that is written in separate pieces; undefined for other values. */
function longText(value: unknown): Iterable<BodyPiece> | undefined {
  if (typeof value !== 'object') return undefined;
  if (value instanceof NDArrayValue) return blockText(value.block, value.nonFinite);
  if (value instanceof Base64Text) return quoted(value.parts());
  if (value instanceof JsonText) return [value.bytes];
  return undefined;
}

function* quoted(pieces: Iterable<BodyPiece>): Generator<BodyPiece> {
  yield '"';
  yield* pieces;
  yield '"';
}
