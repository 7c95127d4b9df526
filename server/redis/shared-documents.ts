/**
 * Documents that clients persisted at any replica. Their ids are hashes of their text, so that a text of another origin is
 * recognised.
 */
import { createHash } from 'node:crypto';
import { createBoundedValues } from './bounded-values.js';
import type { RedisConnection } from './connection.js';

/** Maximum size of a shared text in bytes. Longer ones are persisted by each replica. */
const MAX_BYTES = 65_536;

export interface SharedDocuments {
  /** @param hash SHA-256 in hexadecimal digits. @returns undefined if Redis has no such document, or is unavailable */
  find(hash: string): Promise<string | undefined>;
  /** Keeps a document for the other replicas. */
  add(hash: string, text: string): void;
}

/** @param maxBytes of all documents together */
export function createSharedDocuments(redis: RedisConnection, maxBytes: number): SharedDocuments {
  const values = createBoundedValues(redis, 'document', { maxBytes, maxValueBytes: MAX_BYTES });
  return {
    async find(hash) {
      const text = await values.get(hash);
      if (text === undefined) return undefined;
      if (createHash('sha256').update(text).digest('hex') === hash) return text.toString('utf8');
      values.remove(hash);
      return undefined;
    },
    add: (hash, text) => values.set(hash, text),
  };
}
