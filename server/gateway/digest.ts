import { createHash, type Hash } from 'node:crypto';

/** A strong ETag. */
export function etagOfContent(content: string | Uint8Array): string {
  return etagOfDigest(createHash('sha256').update(content));
}

/** A strong ETag of what a hash has received. */
export function etagOfDigest(hash: Hash): string {
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}
