import type { ResolvedOptions } from '../options.js';

/** Merges the caller's headers over the default ones. Names are in lower case. */
export async function headersOf(
  { headers }: Pick<ResolvedOptions, 'headers'>,
  own: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const extra = typeof headers === 'function' ? await headers() : headers;
  const pairs = Symbol.iterator in extra ? [...extra] : Object.entries(extra);
  const lowered = pairs.flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as const],
  );
  return { ...own, ...Object.fromEntries(lowered) };
}
