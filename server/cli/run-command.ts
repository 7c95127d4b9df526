import { inspect } from 'node:util';
import { isZarrError } from '../zarr/index.js';
import { fail } from './fail.js';

/** Invalid arguments. Exit code 2, as for an unknown option. */
export class UsageError extends Error {}

/**
 * Runs a command. Prints failures on stderr, as one line if the error is expected. The exit code is 2 for
 * invalid arguments, including selections that the array does not have, else 1. A closed stdout (`| head`) is not a
 * failure.
 */
export async function runCommand(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (isFailure(error, 'EPIPE')) return;
    if (error instanceof UsageError) return fail(error.message, 2);
    const isArgument = isZarrError(error) && ['BAD_SELECTION', 'BAD_INPUT'].includes(error.code);
    fail(isZarrError(error) || isSystemError(error) ? error.message : inspect(error), isArgument ? 2 : 1);
  }
}

function isFailure(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** An error of the operating system, such as a file that cannot be written. Its message names the file. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
