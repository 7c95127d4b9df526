import { inspect } from 'node:util';
import { isZarrError } from '../zarr/index.js';
import { fail } from './fail.js';

/** The command line asks for what cannot be, whatever the store holds: exit code 2, as for an unknown option. */
export class UsageError extends Error {}

/**
 * Runs a command to its end. What fails is said on stderr, in one line where the message is our own: exit code 2 for
 * mistakes of the command line, else 1. A reader of stdout that has enough (`| head`) is no failure.
 */
export async function runCommand(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (isFailure(error, 'EPIPE')) return;
    if (error instanceof UsageError) return fail(error.message, 2);
    fail(isZarrError(error) || isSystemError(error) ? error.message : inspect(error));
  }
}

function isFailure(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Of the operating system, such as a file that cannot be written: its message names the file. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
