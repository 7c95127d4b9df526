/** Documents by their hash instead of their text, as the gateway keeps them. */
import { InputError } from '../errors.js';
import type { GraphQLResult } from './response.js';

const known = new Map<string, Promise<string>>();
/** Documents are few and fixed; a program that makes them up must not fill the memory with their hashes. */
const maxKnown = 500;

/**
 * The SHA-256 hash of a document in hexadecimal digits; undefined where the platform has no means (pages that did not
 * come over HTTPS).
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
  if (known.size < maxKnown) known.set(text, hash);
  return hash;
}

/** The gateway has forgotten the document, or never knew it: send its text along. */
export function isNotPersisted({ errors }: GraphQLResult): boolean {
  return errors.length === 1 && errors[0]?.message === 'PersistedQueryNotFound';
}

export function noHash(): InputError {
  return new InputError(
    'BAD_INPUT',
    'persisted: true needs crypto.subtle, which pages have over HTTPS alone',
  );
}
