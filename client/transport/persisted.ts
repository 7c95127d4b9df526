/** Persisted documents, which are sent as hashes. */
import { InputError } from '../errors.js';
import type { GraphQLResult } from './response.js';

const known = new Map<string, Promise<string>>();
/** Maximum number of cached hashes, for programs that generate documents. */
const MAX_KNOWN = 500;

/**
 * The SHA-256 hash of a document in hexadecimal; undefined if the platform lacks `crypto.subtle` (pages without HTTPS,
 * except on localhost).
 */
export function hashOf(text: string): Promise<string> | undefined {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return undefined;
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const hash = subtle
    .digest('SHA-256', new TextEncoder().encode(text))
    .then((bytes) =>
      Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    );
  if (known.size < MAX_KNOWN) known.set(text, hash);
  return hash;
}

/** Whether the gateway has not persisted the document, so that its text must be sent. */
export function isNotPersisted({ errors }: GraphQLResult): boolean {
  return errors.length === 1 && errors[0]?.message === 'PersistedQueryNotFound';
}

export function noHash(): InputError {
  return new InputError(
    'BAD_INPUT',
    'persisted: true requires crypto.subtle, which browsers provide only over HTTPS and on localhost',
  );
}
