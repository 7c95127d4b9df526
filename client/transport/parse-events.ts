/** Parses event streams (HTML Living Standard, 9.2.6). */
import { createByteSink, tooLarge } from './body.js';

interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

const LF = 10;
const CR = 13;

/**
 * Ignores comments, incomplete events, and fields other than `event` and `data`.
 * @param maxBytes limit of an event and of a line
 * @throws TransportError TOO_LARGE
 */
export async function* parseEvents(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<ServerEvent, void> {
  let name = '';
  let data: string[] = [];
  let bytes = 0;
  for await (const line of linesOf(pieces, maxBytes)) {
    if (line === '') {
      if (name !== '' || data.length > 0)
        yield { name: name === '' ? 'message' : name, data: data.join('\n') };
      name = '';
      data = [];
      bytes = 0;
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== 'event' && field !== 'data') continue;
    bytes += line.length;
    if (bytes > maxBytes) throw tooLarge(EVENT_NAME, maxBytes);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') name = value;
    else data.push(value);
  }
}

const EVENT_NAME = 'an event';

/** Splits a stream into lines. Examines each byte once, and ignores an incomplete last line. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string, void> {
  const line = createByteSink(maxBytes, EVENT_NAME);
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let isFirst = true;
  /** Whether the last piece ended in a CR, which may be the first half of a CRLF. */
  let afterCr = false;
  const take = () => {
    const text = utf8.decode(line.take());
    const bare = isFirst ? text.replace(/^\uFEFF/, '') : text;
    isFirst = false;
    return bare;
  };
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    let from = afterCr && piece[0] === LF ? 1 : 0;
    afterCr = false;
    let nextCr = indexOf(piece, CR, from);
    let nextLf = indexOf(piece, LF, from);
    while (nextCr < piece.length || nextLf < piece.length) {
      const end = Math.min(nextCr, nextLf);
      line.push(piece.subarray(from, end));
      yield take();
      from = end + 1;
      if (end === nextCr) {
        if (from === piece.length) afterCr = true;
        else if (piece[from] === LF) from += 1;
        nextCr = indexOf(piece, CR, from);
      }
      if (nextLf < from) nextLf = indexOf(piece, LF, from);
    }
    line.push(piece.subarray(from));
  }
}

/** @returns the length if the byte does not occur */
function indexOf(piece: Uint8Array, byte: number, from: number): number {
  const at = piece.indexOf(byte, from);
  return at < 0 ? piece.length : at;
}
