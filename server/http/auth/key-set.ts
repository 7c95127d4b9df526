/** The public keys of an issuer of tokens: from an address or a file, read again when they change. */
import { readFile } from 'node:fs/promises';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { z } from 'zod';

const maxKeySetBytes = 2 ** 20;
const timeoutMs = 5000;
/** How soon an unknown key may lead to another look after a good one: invented key ids must not keep the issuer busy. */
const cooldownMs = 30_000;
/** How soon a key set that could not be read is read again: soon, but not for every request until then. */
export const failurePauseMs = 5000;
const maxAgeMs = 600_000;

/** The key set could not be read a moment ago, and is not asked for again yet. */
export class KeySetPausedError extends Error {
  override readonly name = 'KeySetPausedError';
}

/** @param place an http or https address, else the path of a file */
export function createKeySet(place: string): JWTVerifyGetKey {
  return /^https?:\/\//i.test(place)
    ? createRemoteJWKSet(new URL(place), {
        timeoutDuration: timeoutMs,
        cooldownDuration: cooldownMs,
        cacheMaxAge: maxAgeMs,
        [customFetch]: pausedAfterFailure(fetchKeySet),
      })
    : createFileKeySet(pausedAfterFailure(() => readKeySet(place)));
}

/** The same, which fails at once for a while after a failure. */
function pausedAfterFailure<A extends readonly unknown[], T>(
  load: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let failedAt: number | undefined;
  return async (...args) => {
    if (failedAt !== undefined && Date.now() - failedAt < failurePauseMs)
      throw new KeySetPausedError('the key set could not be read a moment ago');
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

/** The whole response within bounds of time and size. @throws unless it is a key set */
async function fetchKeySet(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const parts: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > maxKeySetBytes) throw new Error('the key set is too large');
    parts.push(part);
  }
  if (response.status !== 200)
    throw new Error(`the key set's address answers with status ${response.status}`);
  return Response.json(parseKeySet(Buffer.concat(parts).toString('utf8')));
}

async function readKeySet(path: string): Promise<JWTVerifyGetKey> {
  return createLocalJWKSet(parseKeySet(await readFile(path, 'utf8')));
}

/** Reads the file when it is first needed, and again when a key is not in it or it has been known for long. */
function createFileKeySet(load: () => Promise<JWTVerifyGetKey>): JWTVerifyGetKey {
  let known: { readonly keys: Promise<JWTVerifyGetKey>; readonly readAt: number } | undefined;
  const read = (): Promise<JWTVerifyGetKey> => {
    const before = known;
    const keys = load();
    known = { keys, readAt: Date.now() };
    // An invented key id must not take away the keys that are known.
    keys.catch(() => {
      known = before;
    });
    return keys;
  };
  return async (header, token) => {
    const age = known === undefined ? Infinity : Date.now() - known.readAt;
    const keys = await (known === undefined || age > maxAgeMs ? read() : known.keys);
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || age <= cooldownMs || age === Infinity) throw error;
      return (await read())(header, token);
    }
  };
}

const keySetForm = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

function parseKeySet(text: string): JSONWebKeySet {
  return keySetForm.parse(JSON.parse(text));
}
