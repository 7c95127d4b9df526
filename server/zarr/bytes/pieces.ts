/** Splits long byte strings into pieces, for work that yields in between. */

/** Views of `bytes`, each of `pieceBytes` except the last. */
export function* piecesOf(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
