/** Says on stderr why the program ends, and has it end so. */
export function fail(message: string, exitCode = 1): void {
  process.stderr.write(`zarrql: ${message.replaceAll('\n', '\nzarrql: ')}\n`);
  process.exitCode = exitCode;
}
