/**
 * Writes a GraphQL result as JSON, in pieces. Uses an explicit stack instead of recursion, so that the caller
 * can yield to the event loop between two pieces.
 */
import { Base64Text } from '../base64-text.js';
import { NDArrayValue } from '../nd-array-value.js';
import { blockText } from './block-text.js';
import { PIECE_CHARACTERS } from './list-text.js';
import { leafText } from './value-text.js';

/** A list or object being written. `key` is undefined for entries of a list. */
interface Frame {
  readonly entries: Iterator<readonly [key: string | undefined, value: unknown]>;
  readonly close: ']' | '}';
  first: boolean;
}

/**
 * Pieces of at least 64 Ki characters (except the last), to be concatenated. Undefined members are omitted.
 */
export function* resultText(result: unknown): Generator<string> {
  const stack: Frame[] = [];
  let text = '';
  let value = result;
  for (;;) {
    const long = longText(value);
    if (long !== undefined) {
      for (const piece of long) {
        text += piece;
        if (text.length >= PIECE_CHARACTERS) {
          yield text;
          text = '';
        }
      }
    } else {
      const leaf = leafText(value);
      if (leaf !== undefined || typeof value !== 'object' || value === null) text += leaf ?? 'null';
      else {
        const frame = frameOf(value);
        stack.push(frame);
        text += frame.close === ']' ? '[' : '{';
      }
    }
    for (;;) {
      const frame = stack.at(-1);
      if (frame === undefined) {
        yield text;
        return;
      }
      const next = frame.entries.next();
      if (next.done === true) {
        text += frame.close;
        stack.pop();
        continue;
      }
      const key = next.value[0];
      if (!frame.first) text += ',';
      frame.first = false;
      if (key !== undefined) text += `${JSON.stringify(key)}:`;
      value = next.value[1];
      break;
    }
    if (text.length >= PIECE_CHARACTERS) {
      yield text;
      text = '';
    }
  }
}

/** Values that are written in separate pieces. */
function longText(value: unknown): Iterable<string> | undefined {
  if (typeof value !== 'object') return undefined;
  if (value instanceof NDArrayValue) return blockText(value.block, value.nonFinite);
  if (value instanceof Base64Text) return quoted(value.pieces());
  return undefined;
}

function* quoted(pieces: Iterable<string>): Generator<string> {
  yield '"';
  yield* pieces;
  yield '"';
}

function frameOf(value: object): Frame {
  if (Array.isArray(value)) return { entries: listEntries(value), close: ']', first: true };
  return { entries: objectEntries(value), close: '}', first: true };
}

function* listEntries(list: readonly unknown[]): Generator<readonly [undefined, unknown]> {
  for (const value of list) yield [undefined, value];
}

function* objectEntries(object: object): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(object)) {
    const value: unknown = Reflect.get(object, key);
    if (value !== undefined) yield [key, value];
  }
}
