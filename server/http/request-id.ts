import { randomUUID } from 'node:crypto';

/** The request id given by a client or proxy if it is safe in logs and headers, else a new one. */
export function requestIdOf(incoming: string | readonly string[] | undefined): string {
  return typeof incoming === 'string' && /^[A-Za-z0-9._:@/+=-]{1,100}$/.test(incoming)
    ? incoming
    : randomUUID();
}
