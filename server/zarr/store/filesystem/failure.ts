/** The operating system's errors as the engine's. No message holds a path: those of the server are nobody's business. */
import { InputError, StoreDeniedError, StoreUnavailableError, ZarrError } from '../../errors.js';

/** The error's code ("ENOENT"), where it is one of the operating system's. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

// A folder where an object is asked for is no object, and no object has a name longer than any name can be.
const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

/** Whether a failed read means that there is no such object. */
export function meansAbsent(error: unknown): boolean {
  return absent.has(codeOf(error) ?? '');
}

const meanings: Readonly<Record<string, string>> = {
  EMFILE: 'too many files are open in this process; a lower concurrency of the store may help',
  ENFILE: 'too many files are open on this machine',
  ENOSPC: 'the file system is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the object is larger than a file may be here',
  EROFS: 'the file system is mounted read-only',
  EIO: 'the disk failed to read or write',
  ESTALE: 'the network file system lost the file; try again',
  ELOOP: 'symbolic links lead in a circle',
  ENOENT: 'its folder was deleted in between, again and again; try again',
  ENOTEMPTY: 'the folder was written to in between; try again',
};

/**
 * What to throw for a failed operation on a file.
 * @param doing what was tried, for the message: "read", "write", "list", "delete"
 */
export function storeFailure(error: unknown, doing: string): ZarrError {
  if (error instanceof ZarrError) return error;
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM')
    return new StoreDeniedError(`the operating system does not allow this process to ${doing} it (${code})`, {
      cause: error,
    });
  if (code === 'ENAMETOOLONG')
    return new InputError('a part of the key is longer than the file system allows (mostly 255 bytes)', {
      cause: error,
    });
  if (code === 'EINVAL')
    return new InputError('the file system does not allow this key as a name', { cause: error });
  if (code === 'ENOTDIR' || code === 'EISDIR' || code === 'EEXIST')
    return new InputError(
      'a file and a folder would need the same name: in a folder on disk an object cannot have others below its key',
      { cause: error },
    );
  const meaning = meanings[code ?? ''] ?? 'the operating system reported an error';
  return new StoreUnavailableError(
    `cannot ${doing} it: ${meaning}${code === undefined ? '' : ` (${code})`}`,
    { cause: error, isOfObject: code === 'ELOOP' },
  );
}
