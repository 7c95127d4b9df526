/** Names of files that are being written, or were when a process ended, and of locks; no part of the store. */
import { randomUUID } from 'node:crypto';

const pattern = /^\.zarrql-(?:[0-9a-f]{16}\.tmp|locks)$/;

/** A new name, short enough for every file system whatever the key. */
export function temporaryName(): string {
  return `.zarrql-${randomUUID().replaceAll('-', '').slice(-16)}.tmp`;
}

export function isTemporary(name: string): boolean {
  return pattern.test(name);
}

/** Whether a key, or a folder that it lies in, has such a name. */
export function isTemporaryKey(key: string): boolean {
  return key.includes('.zarrql-') && key.split('/').some(isTemporary);
}
