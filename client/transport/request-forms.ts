/** The HTTP forms of a GraphQL request: GET or POST, with text or hash. */
import type { ResolvedOptions } from '../options.js';
import { isRepeatable } from './document.js';
import { hashOf, noHash } from './persisted.js';
import { needsCbor, writeBody } from './request-body.js';
import type { RequestBody, RequestParts } from './request-body.js';

/** One HTTP request. For GET, the URL contains all parameters. */
export type RequestForm =
  | { readonly method: 'GET'; readonly url: string }
  | ({ readonly method: 'POST'; readonly url: string } & RequestBody);

/** Maximum length of a URL. Proxies truncate or reject longer ones. */
const MAX_URL_LENGTH = 4000;

export interface RequestForms {
  readonly form: RequestForm;
  /** Fallback with the text, for a gateway that has not persisted the hash in `form`. */
  readonly withText?: RequestForm;
}

/** @throws InputError for variables without a form, and if hashes are required but not available */
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
