/** Converts errors of the operating system. No message contains a path, which must not be disclosed. */
import { InputError, StoreDeniedError, StoreUnavailableError, ZarrError } from '../../core/errors.js';

/** The code of an error ("ENOENT"), if it is from the operating system. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

// Codes that mean absence: a folder is not an object, and an object cannot have a name that is too long for
// the file system.
const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

/** Whether a failed read means that the object does not exist. */
export function meansAbsent(error: unknown): boolean {
  return absent.has(codeOf(error) ?? '');
}

const meanings: Readonly<Record<string, string>> = {
  EMFILE: 'too many files are open in this process; reduce the concurrency of the store',
  ENFILE: 'too many files are open on this machine',
  ENOSPC: 'the file system is full',
  EDQUOT: 'the disk quota is exhausted',
  EFBIG: 'the object exceeds the file size limit of the file system',
  EROFS: 'the file system is mounted read-only',
  EIO: 'the disk reported an I/O error',
  ESTALE: 'the network file system lost the file; try again',
  ELOOP: 'symbolic links form a cycle',
  ENOENT: 'another program repeatedly deleted the folder of the object; try again',
  ENOTEMPTY: 'another program wrote to the folder; try again',
};

/**
 * Converts the error of a failed operation on a file.
 * @param operation for the message: "read", "write", "list", "delete", "lock"
 */
export function storeFailure(error: unknown, operation: string): ZarrError {
  if (error instanceof ZarrError) return error;
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM')
    return new StoreDeniedError(`permission to ${operation} denied (${code})`, {
      cause: error,
    });
  if (code === 'ENAMETOOLONG')
    return new InputError('a part of the key is longer than the file system allows (usually 255 bytes)', {
      cause: error,
    });
  if (code === 'EINVAL')
    return new InputError('the file system does not allow this key as a name', { cause: error });
  if (code === 'ENOTDIR' || code === 'EISDIR' || code === 'EEXIST')
    return new InputError(
      'a file and a folder would have the same name: folders do not support objects below the key of another object',
      { cause: error },
    );
  const meaning = meanings[code ?? ''] ?? 'the operating system returned an error';
  return new StoreUnavailableError(
    `${operation} failed: ${meaning}${code === undefined ? '' : ` (${code})`}`,
    {
      cause: error,
      isOfObject: code === 'ELOOP',
    },
  );
}
