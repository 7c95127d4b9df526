/**
 * The memory of a large result, touched by another thread while this one fills its beginning. The system gives fresh
 * memory page by page at the first touch, which for a result that is decoded fast costs more than all else. Node has no
 * way to ask for pages, but its thread pool reads files, and one file is made of zeros: fresh memory is the same
 * afterwards.
 */
import { close, fstatSync, openSync, read } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface TouchAhead {
  /**
   * From now on the bytes before `end` are the caller's to write.
   * @returns what must be waited for first; undefined: nothing
   */
  claim(end: number): Promise<void> | undefined;
}

/** Smaller results are filled by the time that a thread is at work. */
const minBytes = 8 * 2 ** 20;
/** What is touched at once, of what is not claimed: this thread fills the rest in about the same time. */
const share = 9 / 16;
const minPieceBytes = 4 * 2 ** 20;
const maxPieceBytes = 2 ** 30;
const pageBytes = 4096;

const zeros = '/dev/zero';

/**
 * Begins with the first claim, if that leaves enough.
 * @param bytes fresh memory, all zero, that nobody has written to
 * @returns undefined where it does not pay
 */
export function touchAhead(bytes: Uint8Array): TouchAhead | undefined {
  if (bytes.length < minBytes || availableParallelism() < 2) return undefined;
  let isBegun = false;
  /** Bytes before this are the caller's. */
  let claimed = 0;
  /** Bytes from here on are touched, or just being. */
  let from = bytes.length;
  let piece: Promise<void> | undefined;

  function begin(): void {
    isBegun = true;
    if (claimed > bytes.length / 2) return;
    const file = openZeros();
    if (file !== undefined) touchNext(file);
  }

  function touchNext(file: number): void {
    const length = Math.min((from - claimed) * share, maxPieceBytes);
    if (length < minPieceBytes) return close(file);
    const start = Math.ceil((from - length) / pageBytes) * pageBytes;
    const wanted = bytes.subarray(start, from);
    from = start;
    piece = new Promise((resolve) => {
      // What could not be read was not touched, no more.
      read(file, wanted, 0, wanted.length, null, () => {
        touchNext(file);
        resolve();
      });
    });
  }

  return {
    claim(end) {
      claimed = Math.max(claimed, end);
      if (!isBegun) begin();
      return claimed > from ? piece : undefined;
    },
  };
}

/** undefined: this system has no such file. */
function openZeros(): number | undefined {
  let file: number;
  try {
    file = openSync(zeros, 'r');
  } catch {
    return undefined;
  }
  if (fstatSync(file).isCharacterDevice()) return file;
  close(file);
  return undefined;
}
