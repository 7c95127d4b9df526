/** Opens an archive, and opens it again when its file changes. */
import { LimitError, StoreUnavailableError } from '../../core/errors.js';
import { sortByCodePoint } from '../keys.js';
import type { KeyStore, ReadResult, StoreValue } from '../store.js';
import { parseDirectory, type ZipEntry } from './directory.js';
import { contradiction, findDirectory, TAIL_BYTES } from './end-record.js';

/** Location of the archive. */
export interface ZipSource {
  readonly store: KeyStore;
  readonly key: string;
}

export interface Archive {
  /** Version of the archive's file; undefined if its store has none. */
  readonly version: string | undefined;
  readonly bytes: number;
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** Returns the keys in code point order. They are sorted on first use. */
  sortedKeys(): readonly string[];
}

/** Maximum size of a directory in bytes. 256 MiB is about three million entries. */
const MAX_DIRECTORY_BYTES = 256 * 2 ** 20;

/**
 * Returns the current state of the archive. If `known` is set, first checks whether the file has changed.
 * @throws StoreUnavailableError if the archive does not exist; CodecError if it is damaged; UnsupportedError
 * if it is split; LimitError if its directory is too large
 */
export async function openArchive(source: ZipSource, known: Archive | undefined): Promise<Archive> {
  const tail = await readPart(source, { suffix: TAIL_BYTES }, { ifNoneMatch: known?.version });
  if (tail === 'unchanged' && known !== undefined) return known;
  if (tail === undefined || tail === 'unchanged')
    throw new StoreUnavailableError('the zip archive does not exist');
  const { bytes, version, total } = tail;
  if (total === undefined) throw new StoreUnavailableError('the size of the zip archive is unknown');
  const tailOffset = total - bytes.length;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const piece = await readPart(source, { offset, length }, { ifMatch: version });
    if (piece === undefined || piece === 'unchanged' || piece.bytes.length !== length)
      throw contradiction(`${length} bytes at offset ${offset} are missing`);
    return piece.bytes;
  };
  const location = await findDirectory({ offset: tailOffset, bytes }, read);
  if (location.length > MAX_DIRECTORY_BYTES)
    throw new LimitError(
      `the directory of the zip archive has ${location.length} bytes, more than ${MAX_DIRECTORY_BYTES}`,
      {
        excess: [{ limit: 'maxDirectoryBytes', allowed: MAX_DIRECTORY_BYTES, needed: location.length }],
      },
    );
  const start = location.offset - tailOffset;
  const directory =
    start >= 0
      ? bytes.subarray(start, start + location.length)
      : await read(location.offset, location.length);
  const entries = parseDirectory(directory, location);
  let sorted: string[] | undefined;
  return {
    version,
    bytes: total,
    entries,
    sortedKeys: () => (sorted ??= sortByCodePoint([...entries.keys()])),
  };
}

async function readPart(
  source: ZipSource,
  range: { offset: number; length: number } | { suffix: number },
  conditions: { ifMatch?: string | undefined; ifNoneMatch?: string | undefined },
): Promise<ReadResult> {
  const { ifMatch, ifNoneMatch } = conditions;
  let result: StoreValue | 'unchanged' | undefined;
  await source.store.getMany(
    [
      {
        key: source.key,
        range,
        ...(ifMatch === undefined ? {} : { ifMatch }),
        ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
      },
    ],
    (_, response) => {
      result = response;
    },
  );
  return result;
}
