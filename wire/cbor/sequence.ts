/** Finds the items of a CBOR sequence (RFC 8742), which has no delimiters, as its bytes arrive. */
import { defined } from '../guards.js';
import { major } from './head.js';

/** Maximum nesting of items. */
const MAX_DEPTH = 1000;

/**
 * Examines each byte of heads once and skips contents. Supports definite lengths only, as the gateway sends.
 * @param malformed creates the error for bytes that are not CBOR of definite length
 */
export function createSequenceScanner(malformed: (why: string) => Error) {
  /** Bytes to skip before the next head. */
  let skipped = 0;
  /** Remaining bytes of the argument of a head, and its value so far. */
  let argumentBytes = 0;
  let argument = 0;
  let type = 0;
  /** The number of items that each open container still lacks; one more at the front for the item itself. */
  const left: number[] = [];

  /** @returns whether the outermost item has ended */
  function endItem(): boolean {
    while (left.length > 0) {
      const rest = (left.pop() ?? 0) - 1;
      if (rest > 0) {
        left.push(rest);
        return false;
      }
    }
    return true;
  }

  /** @returns whether the outermost item has ended */
  function endHead(): boolean {
    if (
      !Number.isSafeInteger(argument) &&
      type !== major.unsigned &&
      type !== major.negative &&
      type !== major.simple
    )
      throw malformed('a length beyond 2^53');
    const children =
      type === major.list ? argument : type === major.map ? 2 * argument : type === major.tag ? 1 : 0;
    if (children > 0) {
      if (left.length >= MAX_DEPTH) throw malformed(`items are nested deeper than ${MAX_DEPTH} levels`);
      left.push(children);
      return false;
    }
    if ((type === major.bytes || type === major.text) && argument > 0) {
      skipped = argument;
      return false;
    }
    return endItem();
  }

  return {
    /**
     * The positions in `piece` at which items end, in order.
     * @throws errors from `malformed`
     */
    scan(piece: Uint8Array): number[] {
      const ends: number[] = [];
      for (let at = 0; at < piece.length;) {
        if (skipped > 0) {
          const passed = Math.min(skipped, piece.length - at);
          skipped -= passed;
          at += passed;
          if (skipped === 0 && endItem()) ends.push(at);
          continue;
        }
        const byte = defined(piece[at]);
        at += 1;
        if (argumentBytes > 0) {
          argument = argument * 256 + byte;
          argumentBytes -= 1;
          if (argumentBytes > 0) continue;
        } else {
          type = byte >> 5;
          const short = byte & 31;
          if (short > 27) throw malformed('an item of indefinite length');
          argument = short < 24 ? short : 0;
          argumentBytes = short < 24 ? 0 : 2 ** (short - 24);
          if (argumentBytes > 0) continue;
        }
        if (endHead()) ends.push(at);
      }
      return ends;
    },
    /** Whether the last item is complete. */
    get isComplete(): boolean {
      return left.length === 0 && skipped === 0 && argumentBytes === 0;
    },
  };
}
