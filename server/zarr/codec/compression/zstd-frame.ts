/** The structure of a Zstandard frame (RFC 8878, section 3.1.1). */

const MAGIC = 0xfd2fb528;
const SIZE_BYTES = [0, 2, 4, 8] as const;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const BLOCK_HEADER_BYTES = 3;
const REPEATED_BYTE = 1;
const RESERVED = 3;

/**
 * @returns the content size that the frame declares; undefined if it declares none, and if the bytes are not exactly
 *   one frame without a dictionary
 */
export function contentSizeOfFrame(bytes: Uint8Array): number | undefined {
  if (bytes.length < 9) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : (SIZE_BYTES[sizeFlag] ?? 0);
  if (view.getUint32(0, true) !== MAGIC || sizeBytes === 0 || DICTIONARY_BYTES[descriptor & 3] !== 0)
    return undefined;
  const sizeAt = 5 + (isSingleSegment ? 0 : 1);
  let at = sizeAt + sizeBytes;
  for (let isLast = false; !isLast;) {
    if (at + BLOCK_HEADER_BYTES > bytes.length) return undefined;
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    if (type === RESERVED) return undefined;
    isLast = (header & 1) === 1;
    at += BLOCK_HEADER_BYTES + (type === REPEATED_BYTE ? 1 : header >> 3);
  }
  if (at + ((descriptor & 4) === 0 ? 0 : 4) !== bytes.length) return undefined;
  switch (sizeBytes) {
    case 1:
      return view.getUint8(sizeAt);
    case 2:
      return view.getUint16(sizeAt, true) + 256;
    case 4:
      return view.getUint32(sizeAt, true);
    case 8:
      return Number(view.getBigUint64(sizeAt, true));
  }
}
