/** Access tokens that expire, from a source that is asked by HTTP. */
import { readFile } from 'node:fs/promises';
import { isRecord } from '../../../wire/guards.js';
import { StoreDeniedError } from '../../core/errors.js';

export interface AccessToken {
  readonly token: string;
  /** In the time of `Date.now`. */
  readonly expiresAt: number;
}

/** Time before its expiry at which a token is renewed, in ms. Requests in flight may last that long. */
const RENEWED_MS = 5 * 60_000;
const MAX_RESPONSE = 64 * 1024;
/** Time limit of a request for a token, in ms. */
const TOKEN_MS = 10_000;

/** Keeps a token until shortly before it expires. Concurrent callers share one request. */
export function createTokenCache(load: () => Promise<AccessToken>) {
  let current: AccessToken | undefined;
  let loading: Promise<AccessToken> | undefined;
  return {
    async token(): Promise<string> {
      if (current !== undefined && Date.now() < current.expiresAt - RENEWED_MS) return current.token;
      loading ??= load().finally(() => {
        loading = undefined;
      });
      current = await loading;
      return current.token;
    },
    discard: (): void => void (current = undefined),
  };
}

/**
 * Asks for a token. The address is fixed or configured by the operator; redirects are not followed.
 * @throws StoreDeniedError, which contains neither the response nor what was sent
 */
export async function requestToken(
  source: string,
  address: string,
  request: {
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly form?: Record<string, string>;
  },
): Promise<AccessToken> {
  const { method, headers, form } = request;
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TOKEN_MS),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    text = (await response.text()).slice(0, MAX_RESPONSE);
  } catch (cause) {
    throw new StoreDeniedError(`no access token: ${source} could not be reached`, { cause });
  }
  if (!response.ok)
    throw new StoreDeniedError(`no access token: ${source} responded with ${response.status}`);
  const token = tokenIn(text);
  if (token === undefined) throw new StoreDeniedError(`no access token: ${source} sent another response`);
  return token;
}

function tokenIn(text: string): AccessToken | undefined {
  const parsed = parsedObject(text);
  const token = parsed?.['access_token'];
  // Azure's metadata service sends numbers as text.
  const seconds = Number(parsed?.['expires_in'] ?? Number.NaN);
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token) || !(seconds > 0)) return undefined;
  return { token, expiresAt: Date.now() + seconds * 1000 };
}

/** @returns undefined for text that is no JSON object */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** @throws StoreDeniedError, which does not contain the file */
export async function readSecretFile(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new StoreDeniedError(`${what} cannot be read`, { cause });
  }
}
