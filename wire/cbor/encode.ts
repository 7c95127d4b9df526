/**
 * Encodes values as CBOR (RFC 8949) in pieces. Uses an explicit stack instead of recursion, so that the
 * caller can pause between pieces.
 */
import { isList } from '../guards.js';
import { major, simple } from './head.js';
import { CborWriter } from './writer.js';

/**
 * Writes a custom object, or its head.
 * @returns the values that follow; true if no values follow; undefined for objects that are not custom
 */
export type OpenObject = (writer: CborWriter, value: object) => Iterator<unknown> | true | undefined;

/**
 * Encodes JSON's values, bigints and byte strings (`Uint8Array`). Undefined members are omitted; undefined in
 * lists becomes null. Lengths are definite.
 * @returns pieces to concatenate; long byte strings are not copied
 */
export function* encodeCbor(value: unknown, openObject?: OpenObject): Generator<Uint8Array, void> {
  const writer = new CborWriter();
  const stack: Iterator<unknown>[] = [[value].values()];
  for (;;) {
    const innermost = stack.at(-1);
    if (innermost === undefined) break;
    const next = innermost.next();
    if (next.done === true) stack.pop();
    else {
      const children = write(writer, next.value, openObject);
      if (children !== undefined) stack.push(children);
    }
    if (writer.isFull) yield* writer.take();
  }
  yield* writer.take();
}

/** Writes a scalar, or the head of a container. @returns the container's values */
function write(
  writer: CborWriter,
  value: unknown,
  openObject: OpenObject | undefined,
): Iterator<unknown> | undefined {
  switch (typeof value) {
    case 'string':
      writer.text(value);
      return undefined;
    case 'number':
      writer.number(value);
      return undefined;
    case 'bigint':
      writer.integer(value);
      return undefined;
    case 'boolean':
      writer.simple(value ? simple.true : simple.false);
      return undefined;
    case 'object':
      if (value !== null) {
        const opened = openObject?.(writer, value) ?? openContainer(writer, value);
        return opened === true ? undefined : opened;
      }
      break;
    default:
  }
  writer.simple(simple.null);
  return undefined;
}

function openContainer(writer: CborWriter, value: object): Iterator<unknown> | true {
  if (value instanceof Uint8Array) {
    writer.byteString(value);
    return true;
  }
  if (isList(value)) {
    writer.head(major.list, value.length);
    return value.values();
  }
  const members: unknown[] = [];
  for (const [name, member] of Object.entries(value)) if (member !== undefined) members.push(name, member);
  writer.head(major.map, members.length / 2);
  return members.values();
}
