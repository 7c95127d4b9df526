/** The public keys of an issuer of tokens: from an address or a file, fetched anew when they change. */
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
/** How soon a key that is not known may lead to another look: whoever invents key ids must not make us busy. */
const cooldownMs = 30_000;
const maxAgeMs = 600_000;

/** @param place an http or https address, else the path of a file */
export function createKeySet(place: string): JWTVerifyGetKey {
  return /^https?:\/\//i.test(place)
    ? createRemoteJWKSet(new URL(place), {
        timeoutDuration: timeoutMs,
        cooldownDuration: cooldownMs,
        cacheMaxAge: maxAgeMs,
        [customFetch]: fetchBounded,
      })
    : createFileKeySet(place);
}

/** The whole answer within bounds of time and size. */
async function fetchBounded(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const parts: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > maxKeySetBytes) throw new Error('the key set is too large');
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: response.status, headers: response.headers });
}

/** Reads the file when it is first needed, and again when a key is not in it or it has been known for long. */
function createFileKeySet(path: string): JWTVerifyGetKey {
  let known: { readonly keys: Promise<JWTVerifyGetKey>; readonly readAt: number } | undefined;
  const read = (): Promise<JWTVerifyGetKey> => {
    const keys = readFile(path, 'utf8').then((text) => createLocalJWKSet(parseKeySet(text)));
    known = { keys, readAt: Date.now() };
    keys.catch(() => {
      known = undefined;
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
