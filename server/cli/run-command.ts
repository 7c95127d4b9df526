import type { Command } from 'commander';
import { inspect } from 'node:util';
import { isZarrError } from '../zarr/index.js';
import { printableLines } from './printable.js';

/** Invalid arguments. Exit code 2, as for an unknown option. */
export class UsageError extends Error {}

/** A failure of which only the message is printed. Exit code 1. */
export class CommandFailure extends Error {}

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
    if (error instanceof CommandFailure) return fail(error.message);
    const isArgument = isZarrError(error) && ['BAD_SELECTION', 'BAD_INPUT'].includes(error.code);
    fail(isZarrError(error) || isSystemError(error) ? error.message : inspect(error), isArgument ? 2 : 1);
  }
}

function isFailure(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Whether the error comes from the operating system, for example because a file cannot be written. Its
 * message names the file.
 */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** Prints the error on stderr and sets the exit code. */
export function fail(message: string, exitCode = 1): void {
  print(message);
  process.exitCode = exitCode;
}

/** Prints a message on stderr. */
export function print(message: string): void {
  process.stderr.write(`zarrql: ${printableLines(message).replaceAll('\n', '\nzarrql: ')}\n`);
}

/**
 * Exits with 2 for invalid arguments, including those of subcommands, so that scripts can distinguish them from
 * failures.
 */
export function withUsageCode(command: Command): Command {
  return command.exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : 2);
  });
}

/** Removes the value after "=" from a message about an unknown option, because the value may be a secret. */
export function withoutValues(message: string): string {
  return message.replace(/(unknown option '[^=\n]*=)[^\n]*'/, "$1...'");
}
