/** Log lines for terminals: time, level, message, then the fields. */

/** Width of the longest level. */
const LEVEL_WIDTH = 5;
/** Fields that the beginning of the line contains. */
const shownFirst: ReadonlySet<string> = new Set(['level', 'time', 'msg']);

/**
 * Converts a line of JSON to text. Objects and lists stay JSON, without the stack of an error, which gets its own lines.
 * @param line a line as the logger writes it; any other line is returned unchanged
 */
export function readableLine(line: string): string {
  const record = parsed(line);
  if (record === undefined) return line;
  const { level, time, msg, err } = record;
  const clock = typeof time === 'string' ? time.slice(11, 19) : '';
  const fields = Object.entries(record)
    .filter(([name]) => !shownFirst.has(name) && name !== 'err')
    .map(([name, value]) => `${name}=${typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`); // prettier-ignore
  const head = [clock, String(level).toUpperCase().padEnd(LEVEL_WIDTH), textOf(msg)].join(' ');
  return `${[head, ...fields].join('  ').trimEnd()}\n${errorLines(err)}`;
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return typeof record === 'object' && record !== null ? { ...record } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function errorLines(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { stack }: { readonly stack?: unknown } = err;
  const text = typeof stack === 'string' ? stack : JSON.stringify(err);
  return text.split('\n').map((line) => `         ${line}\n`).join(''); // prettier-ignore
}
