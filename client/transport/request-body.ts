/** HTTP forms of requests: GET or POST, with the text or hash of the document, as JSON or CBOR. */
import { encodeBase64 } from '../../wire/base64.js';
import { InputError } from '../errors.js';
import { isList, isRecord } from '../json/json.js';
import type { ResolvedOptions } from '../options.js';
import { encodeCborBody } from './body.js';
import { isRepeatable } from './document.js';
import { hashOf, noHash } from './persisted.js';

interface RequestBody {
  readonly type: 'application/json' | 'application/cbor';
  readonly body: string | Uint8Array<ArrayBuffer>;
}

interface RequestParts {
  readonly query: string;
  readonly variables: unknown;
}

/** @param plain whether only JSON is allowed. @throws errors from {@link writeJson} */
export function writeBody(members: object, plain: boolean): RequestBody {
  if (!plain && needsCbor(members)) return { type: 'application/cbor', body: encodeCborBody(members) };
  return { type: 'application/json', body: writeJson(members) };
}

/**
 * Writes JSON for the gateway: base64 for the bytes of an array, decimal text for large integers.
 * @throws InputError for values that JSON would change: byte strings except `data`, -0, NaN and the infinities
 */
export function writeJson(members: unknown): string {
  return JSON.stringify(members, (key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number' && hasNoJson(value))
      throw noJson(Object.is(value, -0) ? 'the number -0' : `the number ${value}`);
    if (!(value instanceof Uint8Array)) return value;
    if (key === 'data') return encodeBase64(value);
    throw noJson('a byte string');
  });
}

function noJson(value: string): InputError {
  return new InputError(
    'BAD_INPUT',
    `${value} has no JSON form; use a typed array, or send CBOR by a query or mutation without format: 'json'`,
  );
}

/** Whether the value contains bigints, bytes, -0, NaN or infinities, which JSON would change. */
function needsCbor(value: unknown): boolean {
  if (typeof value === 'number') return hasNoJson(value);
  if (typeof value === 'bigint' || value instanceof Uint8Array) return true;
  if (isList(value)) return value.some(needsCbor);
  return isRecord(value) && Object.values(value).some(needsCbor);
}

/** Checks for -0, NaN and the infinities, which JSON.stringify would change. */
function hasNoJson(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0);
}

/** One HTTP request. For GET, the URL contains all parameters. */
export type RequestForm =
  | { readonly method: 'GET'; readonly url: string }
  | ({ readonly method: 'POST'; readonly url: string } & RequestBody);

/** Maximum length of a URL. Proxies truncate or reject longer ones. */
const MAX_URL_LENGTH = 4000;

export interface RequestForms {
  readonly form: RequestForm;
  /** The form with the document's text, for a gateway that has not persisted the hash in `form`. */
  readonly withText?: RequestForm;
}

/** @throws InputError for variables that cannot be encoded, and if hashes are required but not available */
export async function formsOf(
  { query, variables }: RequestParts,
  options: Pick<ResolvedOptions, 'url' | 'format' | 'persisted'>,
): Promise<RequestForms> {
  const { url, persisted } = options;
  const post = (members: object): RequestForm => ({
    method: 'POST',
    url,
    ...writeBody(members, options.format === 'json'),
  });
  const repeatable = isRepeatable(query);
  const hash = persisted === false || (persisted === 'auto' && !repeatable) ? undefined : await hashOf(query);
  if (persisted === true) {
    if (hash === undefined) throw noHash();
    const members = { documentId: `sha256:${hash}`, variables };
    return { form: (repeatable ? getForm(url, members) : undefined) ?? post(members) };
  }
  if (hash === undefined) return { form: post({ query, variables }) };
  const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
  const members = { variables, extensions };
  return { form: getForm(url, members) ?? post(members), withText: post({ query, ...members }) };
}

/** @returns undefined if the URL would be too long, or the variables have no JSON form */
function getForm(url: string, members: Readonly<Record<string, unknown>>): RequestForm | undefined {
  if (needsCbor(members)) return undefined;
  const parameters = Object.entries(members).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value ?? {}),
  ]);
  const long = `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(parameters).toString()}`;
  return long.length > MAX_URL_LENGTH ? undefined : { method: 'GET', url: long };
}
