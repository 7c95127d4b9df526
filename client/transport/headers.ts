import type { ResolvedOptions } from '../options.js';

/** The caller's headers over our own, names in lower case. */
export async function headersOf(
  { headers }: Pick<ResolvedOptions, 'headers'>,
  own: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const extra = typeof headers === 'function' ? await headers() : headers;
  const lowered = Object.entries(extra).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return { ...own, ...Object.fromEntries(lowered) };
}
