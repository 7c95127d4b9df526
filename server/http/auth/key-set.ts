/** Public keys of a token issuer (JWKS), from a URL or a file. Reloaded when they are old, and for unknown keys. */
import { readFile } from 'node:fs/promises';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import * as z from 'zod';

const MAX_KEY_SET_BYTES = 2 ** 20;
const TIMEOUT_MS = 5000;
/**
 * Minimum time between reloads caused by unknown key ids, so that invented ids cannot flood the issuer with
 * requests.
 */
const COOLDOWN_MS = 30_000;
/** Pause after a failed fetch, so that requests do not repeat it immediately. */
export const FAILURE_PAUSE_MS = 5000;
const MAX_AGE_MS = 600_000;

/** The last fetch of the key set failed; the pause before the next attempt is not over. */
export class KeySetPausedError extends Error {
  override readonly name = 'KeySetPausedError';
}

/** @param source an http or https URL, or a file path */
export function createKeySet(source: string): JWTVerifyGetKey {
  return /^https?:\/\//i.test(source)
    ? createRemoteJWKSet(new URL(source), {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: COOLDOWN_MS,
        cacheMaxAge: MAX_AGE_MS,
        [customFetch]: pausedAfterFailure(fetchKeySet),
      })
    : createFileKeySet(pausedAfterFailure(() => readKeySet(source)));
}

/** Wraps `load`: after a failure, further calls fail at once until the pause is over. */
function pausedAfterFailure<A extends readonly unknown[], T>(
  load: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let failedAt: number | undefined;
  return async (...args) => {
    if (failedAt !== undefined && Date.now() - failedAt < FAILURE_PAUSE_MS)
      throw new KeySetPausedError('the last fetch of the key set failed; the next attempt is delayed');
    try {
      const loaded = await load(...args);
      failedAt = undefined;
      return loaded;
    } catch (error) {
      failedAt = Date.now();
      throw error;
    }
  };
}

/** Reads the whole response, within limits on time and size. @throws unless it is a key set */
async function fetchKeySet(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const parts: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > MAX_KEY_SET_BYTES) throw new Error(`the key set exceeds ${MAX_KEY_SET_BYTES} bytes`);
    parts.push(part);
  }
  if (response.status !== 200) throw new Error(`the key set URL returned status ${response.status}`);
  return Response.json(parseKeySet(Buffer.concat(parts).toString('utf8')));
}

async function readKeySet(path: string): Promise<JWTVerifyGetKey> {
  return createLocalJWKSet(parseKeySet(await readFile(path, 'utf8')));
}

/**
 * Reads the file on first use, for an unknown key, and when the cached keys are old. If the reload for an unknown
 * key fails, the cached keys stay in use, because invented key ids can cause reloads.
 */
function createFileKeySet(load: () => Promise<JWTVerifyGetKey>): JWTVerifyGetKey {
  let known: JWTVerifyGetKey | undefined;
  let readAt = 0;
  let loading: Promise<JWTVerifyGetKey> | undefined;
  const isOlderThan = (ms: number): boolean => Date.now() - readAt > ms;
  const loadOnce = async (): Promise<JWTVerifyGetKey> => {
    try {
      known = await load();
      readAt = Date.now();
      return known;
    } finally {
      loading = undefined;
    }
  };
  const read = (): Promise<JWTVerifyGetKey> => (loading ??= loadOnce());
  return async (header, token) => {
    const keys = known === undefined || isOlderThan(MAX_AGE_MS) ? await read() : known;
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !isOlderThan(COOLDOWN_MS)) throw error;
      return (await read())(header, token);
    }
  };
}

const keySetForm = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

function parseKeySet(text: string): JSONWebKeySet {
  return keySetForm.parse(JSON.parse(text));
}
