/** Long byte strings in pieces, for work that pauses in between. */

/** Views of `bytes`, each of `pieceBytes` but for the last. */
export function* piecesOf(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
