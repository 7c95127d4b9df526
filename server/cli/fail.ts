import { printableLines } from './printable.js';

/** Prints the error on stderr and sets the exit code. */
export function fail(message: string, exitCode = 1): void {
  say(message);
  process.exitCode = exitCode;
}

/** Prints a message on stderr. */
export function say(message: string): void {
  process.stderr.write(`zarrql: ${printableLines(message).replaceAll('\n', '\nzarrql: ')}\n`);
}
