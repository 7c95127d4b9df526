/**
 * A whole GraphQL result as CBOR (RFC 8949), in pieces. Numbers of an NDArray are handed on as the block has them, without
 * a copy. It walks with a stack of its own instead of recursing, so that it can pause anywhere: between two pieces the
 * process serves other requests.
 */
import { Base64Text } from '../base64-text.js';
import { NDArrayValue } from '../nd-array-value.js';
import { major, simple } from './head.js';
import { openRun, RawBytes, Utf8Text } from './run-children.js';
import { CborSink } from './sink.js';
import { ValueRun } from './value-run.js';

/** Pieces to be concatenated. Members that are undefined are left out; lengths are always given before what they count. */
export function* resultCbor(result: unknown): Generator<Uint8Array> {
  const sink = new CborSink();
  const stack: Iterator<unknown>[] = [[result].values()];
  for (;;) {
    const innermost = stack.at(-1);
    if (innermost === undefined) break;
    const next = innermost.next();
    if (next.done === true) stack.pop();
    else if (!writeLeaf(sink, next.value)) stack.push(open(sink, next.value));
    if (sink.isFull) yield* sink.take();
  }
  yield* sink.take();
}

/** @returns whether it was one: nothing of it is left to write */
function writeLeaf(sink: CborSink, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      sink.text(value);
      return true;
    case 'number':
      // A whole number is an integer, unless JSON would give it an exponent for being a float that large.
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) sink.integer(value);
      else sink.float(value);
      return true;
    case 'bigint':
      sink.integer(value);
      return true;
    case 'boolean':
      sink.simple(value ? simple.true : simple.false);
      return true;
    case 'object':
      if (value === null) sink.simple(simple.null);
      else if (value instanceof RawBytes) sink.bytes(value.bytes);
      else if (value instanceof Utf8Text) sink.utf8(value.bytes);
      else if (value instanceof Uint8Array) sink.byteString(value);
      else return false;
      return true;
    default:
      sink.simple(simple.null);
      return true;
  }
}

/** Writes the beginning of what holds other values. @returns those */
function open(sink: CborSink, value: unknown): Iterator<unknown> {
  if (value instanceof NDArrayValue) return openRun(sink, new ValueRun(value.block));
  if (value instanceof ValueRun) return openRun(sink, value);
  if (value instanceof Base64Text) {
    sink.head(major.text, 4 * Math.ceil(value.bytes.length / 3));
    return base64Parts(value);
  }
  if (Array.isArray(value)) {
    sink.head(major.list, value.length);
    return value.values();
  }
  const members: unknown[] = [];
  for (const [name, member] of Object.entries(value ?? {}))
    if (member !== undefined) members.push(name, member);
  sink.head(major.map, members.length / 2);
  return members.values();
}

function* base64Parts(text: Base64Text): Generator<RawBytes> {
  for (const piece of text.pieces()) yield new RawBytes(Buffer.from(piece, 'latin1'));
}
