/** Parses the head of an HTTP/1.1 response (RFC 9112). Anything ambiguous is refused. */

export interface ResponseHead {
  readonly status: number;
  /** By names in lower case. Values of repeated fields are joined by ", ". */
  readonly headers: ReadonlyMap<string, string>;
  readonly framing: Framing;
  /** Whether the connection can be used for another request after the body. */
  readonly isPersistent: boolean;
}

/** How the body ends: after a number of bytes, with its last chunk, or with the connection. */
export type Framing =
  { readonly kind: 'length'; readonly bytes: number } | { readonly kind: 'chunked' | 'close' };

/** Fields whose values must not be combined. */
const single = new Set(['content-length', 'content-range', 'content-encoding', 'etag', 'last-modified']);
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d{2})(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const field = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * @param text the head as Latin-1, without the empty line at its end
 * @param method of the request: responses to HEAD have no body
 * @throws MalformedResponse
 */
export function parseResponseHead(text: string, method: 'GET' | 'HEAD'): ResponseHead {
  const lines = text.split('\r\n');
  const [, minor, digits] = statusLine.exec(lines[0] ?? '') ?? [];
  if (digits === undefined) throw new MalformedResponse('its status line');
  const status = Number(digits);
  const headers = new Map<string, string>();
  for (let at = 1; at < lines.length; at++) addField(headers, lines[at] ?? '');
  const framing = framingOf(status, headers, method);
  const isClosed = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(headers.get('connection') ?? '');
  return { status, headers, framing, isPersistent: minor === '1' && !isClosed && framing.kind !== 'close' };
}

function addField(headers: Map<string, string>, line: string): void {
  const [, given, rest] = field.exec(line) ?? [];
  if (given === undefined || rest === undefined) throw new MalformedResponse('a header line');
  const name = given.toLowerCase();
  const value = rest.trim();
  const before = headers.get(name);
  if (before !== undefined && before !== value && single.has(name))
    throw new MalformedResponse(`two fields ${name}`);
  headers.set(name, before === undefined || before === value ? value : `${before}, ${value}`);
}

function framingOf(status: number, headers: ReadonlyMap<string, string>, method: 'GET' | 'HEAD'): Framing {
  const coding = headers.get('transfer-encoding');
  const length = headers.get('content-length');
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || length !== undefined))
    throw new MalformedResponse('its transfer coding');
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new MalformedResponse('its length');
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304)
    return { kind: 'length', bytes: 0 };
  if (coding !== undefined) return { kind: 'chunked' };
  return length === undefined ? { kind: 'close' } : { kind: 'length', bytes: Number(length) };
}

/** The response cannot be understood; the connection must not be used again. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';

  constructor(what: string) {
    super(`the server sent a response that is not valid HTTP (${what})`);
  }
}
