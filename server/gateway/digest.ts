import { createHash } from 'node:crypto';

/** A strong ETag. */
export function etagOfContent(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
