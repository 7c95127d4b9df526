/**
 * The body of one response. If its length is declared and moderate, bytes are received directly into its memory;
 * otherwise it consists of pieces, whose memory grows with the bytes that arrive.
 */
import { allocateUninitialised } from '#platform';
import { ChunkedBody } from './chunked-body.js';
import type { Framing } from './response-head.js';

/** Maximum length for which memory is allocated before bytes arrive; the system provides it as they do. */
const MAX_PREPARED_BYTES = 32 * 2 ** 20;
/** Bytes of pieces that wait for the reader before receiving pauses. */
const MAX_WAITING_BYTES = 2 ** 20;

export class Body {
  readonly #framing: Framing;
  readonly #chunked: ChunkedBody | undefined;
  /** All bytes, if the length is declared and moderate. */
  readonly #bytes: Uint8Array | undefined;
  /** Bytes that have arrived, and of these those that the reader has taken. */
  #arrived = 0;
  #taken = 0;
  readonly #pieces: Uint8Array[] = [];
  #isEnded = false;

  constructor(framing: Framing) {
    this.#framing = framing;
    if (framing.kind === 'length' && framing.bytes <= MAX_PREPARED_BYTES)
      this.#bytes = allocateUninitialised(framing.bytes);
    if (framing.kind === 'chunked') this.#chunked = new ChunkedBody((piece) => this.#keep(piece));
  }

  get arrived(): number {
    return this.#arrived;
  }

  get isComplete(): boolean {
    if (this.#framing.kind === 'length') return this.#arrived === this.#framing.bytes;
    return this.#chunked?.isDone ?? this.#isEnded;
  }

  /** Whether bytes are received directly into the memory of the whole body. */
  get isPrepared(): boolean {
    return this.#bytes !== undefined;
  }

  /** Whether the reader should take pieces before more are received. */
  get isFull(): boolean {
    return !this.isPrepared && this.#arrived - this.#taken > MAX_WAITING_BYTES;
  }

  /** Memory for the next bytes; undefined if they must be given to `push`. */
  target(): Uint8Array | undefined {
    return this.#bytes?.subarray(this.#arrived);
  }

  /** This many bytes were received into `target()`. */
  placed(bytes: number): void {
    this.#arrived += bytes;
  }

  /** Copies bytes. @returns the number of bytes that belong to the body @throws MalformedResponse */
  push(bytes: Uint8Array): number {
    if (this.#chunked !== undefined) return this.#chunked.push(bytes);
    const { length } = bytes;
    const own =
      this.#framing.kind === 'length' ? Math.min(length, this.#framing.bytes - this.#arrived) : length;
    const piece = own === length ? bytes : bytes.subarray(0, own);
    if (this.#bytes === undefined) this.#keep(piece);
    else {
      this.#bytes.set(piece, this.#arrived);
      this.#arrived += own;
    }
    return own;
  }

  /** The connection has ended, which completes a body without a declared length. */
  end(): void {
    this.#isEnded = this.#framing.kind === 'close';
  }

  /** The bytes that have arrived since the last call; undefined if there are none. */
  next(): Uint8Array | undefined {
    if (this.#bytes === undefined) {
      const piece = this.#pieces.shift();
      this.#taken += piece?.length ?? 0;
      return piece;
    }
    if (this.#taken === this.#arrived) return undefined;
    const piece = this.#bytes.subarray(this.#taken, this.#arrived);
    this.#taken = this.#arrived;
    return piece;
  }

  /** The whole complete body. @param pieces all that `next` has returned */
  whole(pieces: readonly Uint8Array[]): Uint8Array {
    return this.#bytes ?? new Uint8Array(Buffer.concat(pieces));
  }

  #keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece.slice());
    this.#arrived += piece.length;
  }
}
