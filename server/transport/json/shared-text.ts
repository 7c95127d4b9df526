/**
 * The JSON text of values that several responses contain, such as an event with hundreds of subscribers. It is created
 * once, piece by piece as the first reader needs it, and kept while the value is in use.
 */
import type { BodyPiece } from '../time-sliced-body.js';

export interface SharingOptions {
  /** Whether several responses contain the value at the moment. Otherwise, its text is not kept. */
  readonly isShared: () => boolean;
  /** Called with the size of each piece that is kept, in bytes. */
  readonly hold: (bytes: number) => void;
}

interface SharedText extends SharingOptions {
  /** Undefined until the first reader. */
  pieces: Pieces | undefined;
}

const sharedTexts = new WeakMap<object, SharedText>();

/** Lets responses share the text of a value, which nobody modifies afterwards. */
export function shareText(value: object, options: SharingOptions): void {
  sharedTexts.set(value, { ...options, pieces: undefined });
}

/**
 * The pieces of the text of a value, as UTF-8; undefined if it is not shared.
 * @param write creates the text
 */
export function sharedPieces(
  value: object,
  write: (value: object) => Iterator<BodyPiece>,
): Iterable<Uint8Array> | undefined {
  const shared = sharedTexts.get(value);
  if (shared === undefined) return undefined;
  if (shared.pieces === undefined && !shared.isShared()) return undefined;
  shared.pieces ??= new Pieces(write(value), shared.hold);
  return shared.pieces.read();
}

class Pieces {
  readonly #source: Iterator<BodyPiece>;
  readonly #hold: SharingOptions['hold'];
  readonly #made: Uint8Array[] = [];
  #isComplete = false;
  #failure: Error | undefined;

  constructor(source: Iterator<BodyPiece>, hold: SharingOptions['hold']) {
    this.#source = source;
    this.#hold = hold;
  }

  *read(): Generator<Uint8Array> {
    for (let i = 0; ; i++) {
      if (i === this.#made.length && !this.#makeNext()) return;
      const piece = this.#made[i];
      if (piece !== undefined) yield piece;
    }
  }

  /** @returns whether there is another piece @throws the error of the source, again for each reader */
  #makeNext(): boolean {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isComplete) return false;
    try {
      const next = this.#source.next();
      if (next.done === true) {
        this.#isComplete = true;
        return false;
      }
      const piece = typeof next.value === 'string' ? Buffer.from(next.value, 'utf8') : next.value;
      this.#hold(piece.byteLength);
      this.#made.push(piece);
      return true;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw this.#failure;
    }
  }
}
