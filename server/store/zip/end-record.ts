/**
 * The records at the end of a zip archive that locate its directory (APPNOTE.TXT 6.3.10, sections 4.3.14 to
 * 4.3.16). They are untrusted, and are checked against the file's size.
 */
import { CodecError, UnsupportedError } from '../../core/errors.js';

/** Location of the directory, in bytes from the start of the file. */
export interface DirectoryLocation {
  readonly offset: number;
  readonly length: number;
  /**
   * Number of entries according to the record. If `countIsExact` is false, the number may have overflowed 16
   * bits.
   */
  readonly count: number;
  readonly countIsExact: boolean;
  /**
   * Size of the data before the archive (a self-extracting program) in bytes. Offsets in the archive are
   * relative to the end of this data.
   */
  readonly base: number;
}

/** A part of the file. `bytes` starts at `offset`. */
interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Size of a local header without name and extra field, in bytes. */
export const LOCAL_HEADER_SIZE = 30;

const END_SIZE = 22;
const LOCATOR_SIZE = 20;
const END64_SIZE = 56;

/**
 * Number of bytes to read first: the end record with the longest comment, and the Zip64 records before it.
 */
export const TAIL_BYTES = END_SIZE + 0xffff + LOCATOR_SIZE + END64_SIZE;

/**
 * Finds the directory.
 * @param tail the last bytes of the file, up to its end
 * @param readPiece reads another part, for the rare archive whose Zip64 record is not directly before the
 * end
 * @throws CodecError if the file is not a zip archive, or its records contradict each other
 * @throws UnsupportedError if the archive is split over several files
 */
export async function findDirectory(
  tail: Piece,
  readPiece: (offset: number, length: number) => Promise<Uint8Array>,
): Promise<DirectoryLocation> {
  const end = findEnd(tail.bytes);
  if (end === undefined) throw new CodecError('not a zip archive, or a truncated one: it has no end record');
  const view = viewOf(tail.bytes);
  const endOffset = tail.offset + end;
  const locator = end - LOCATOR_SIZE;
  if (locator >= 0 && view.getUint32(locator, true) === 0x07064b50) {
    const stated = readUint64(view, locator + 8);
    return findDirectory64(tail, locator, stated, readPiece);
  }
  const disks = [view.getUint16(end + 4, true), view.getUint16(end + 6, true)];
  if (disks.some((disk) => disk !== 0)) throw splitArchive();
  return checkLocation({
    count: view.getUint16(end + 10, true),
    countIsExact: false,
    length: view.getUint32(end + 12, true),
    stated: view.getUint32(end + 16, true),
    end: endOffset,
  });
}

async function findDirectory64(
  tail: Piece,
  locator: number,
  stated: number,
  readPiece: (offset: number, length: number) => Promise<Uint8Array>,
): Promise<DirectoryLocation> {
  // Almost all writers put the record directly before the locator. This position is correct even if the file
  // has leading data.
  const usual = locator - END64_SIZE;
  const isUsual = usual >= 0 && viewOf(tail.bytes).getUint32(usual, true) === 0x06064b50;
  const offset = isUsual ? tail.offset + usual : stated;
  if (offset + END64_SIZE > tail.offset + locator)
    throw contradiction('the Zip64 end record is after its locator');
  const bytes = isUsual
    ? tail.bytes.subarray(usual, usual + END64_SIZE)
    : await readPiece(offset, END64_SIZE);
  const view = viewOf(bytes);
  if (bytes.length < END64_SIZE || view.getUint32(0, true) !== 0x06064b50)
    throw contradiction('the Zip64 end record is not at the position in its locator');
  if (view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0) throw splitArchive();
  return checkLocation({
    count: readUint64(view, 32),
    countIsExact: true,
    length: readUint64(view, 40),
    stated: readUint64(view, 48),
    end: offset,
  });
}

function checkLocation(claim: {
  count: number;
  countIsExact: boolean;
  length: number;
  stated: number;
  end: number;
}): DirectoryLocation {
  const { count, countIsExact, length, stated, end } = claim;
  const offset = end - length; // The directory ends where the end record starts.
  const base = offset - stated;
  if (offset < 0 || base < 0) throw contradiction('the directory starts before the beginning of the file');
  return { offset, length, count, countIsExact, base };
}

/** The position of the end record: the last record whose comment ends exactly at the end of the file. */
function findEnd(tail: Uint8Array): number | undefined {
  const view = viewOf(tail);
  for (let at = tail.length - END_SIZE; at >= 0; at--) {
    if (tail[at] !== 0x50 || view.getUint32(at, true) !== 0x06054b50) continue;
    if (at + END_SIZE + view.getUint16(at + 20, true) === tail.length) return at;
  }
  return undefined;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @throws CodecError for a number above 2^53 - 1 */
export function readUint64(view: DataView, at: number): number {
  const value = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
  if (!Number.isSafeInteger(value)) throw contradiction('a size or an offset exceeds 2^53 - 1');
  return value;
}

export function contradiction(problem: string): CodecError {
  return new CodecError(`the zip archive is damaged: ${problem}`);
}

function splitArchive(): UnsupportedError {
  return new UnsupportedError('split zip archives are not supported; join the parts into one file');
}
