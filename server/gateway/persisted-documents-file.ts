/** A list of persisted documents as generators write it. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from '../config.js';

const byId = z.record(z.string(), z.string());
const manifest = z.object({ operations: z.array(z.object({ id: z.string().min(1), body: z.string() })) });

/**
 * Reads a JSON file: an object of documents by id, or a manifest with `operations` that have `id` and `body`.
 * The prefix `sha256:` of hashes with 64 hexadecimal digits is optional.
 * @throws ConfigError
 */
export function readPersistedDocuments(path: string): ReadonlyMap<string, string> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'not valid JSON' : 'cannot be read';
    throw new ConfigError([`persistedDocuments: ${path}: ${reason}`], { cause });
  }
  const listed = manifest.safeParse(json);
  const plain = byId.safeParse(json);
  if (!listed.success && !plain.success)
    throw new ConfigError([
      `persistedDocuments: ${path}: expected a JSON object of documents by id, or a manifest with "operations"`,
    ]);
  const entries = listed.success
    ? listed.data.operations.map(({ id, body }) => [id, body] as const)
    : Object.entries(plain.data ?? {});
  return new Map(entries.map(([id, text]) => [/^[0-9a-f]{64}$/.test(id) ? `sha256:${id}` : id, text]));
}
