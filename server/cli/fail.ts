import { printableLines } from './printable.js';

/** Says on stderr why the program ends, and has it end so. */
export function fail(message: string, exitCode = 1): void {
  say(message);
  process.exitCode = exitCode;
}

/** A message on stderr. */
export function say(message: string): void {
  process.stderr.write(`zarrql: ${printableLines(message).replaceAll('\n', '\nzarrql: ')}\n`);
}
