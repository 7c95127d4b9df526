/** Answers to a browser's question whether a page of another origin may ask. Closed unless origins are configured. */
export interface Cors {
  /** Headers that every response carries; those that depend on the asking page included. */
  headers(origin: string | undefined): Readonly<Record<string, string>>;
  /** Headers of the answer to a preflight request; undefined if pages of that origin may not ask. */
  preflight(
    origin: string,
    requestedHeaders: string | undefined,
  ): Readonly<Record<string, string>> | undefined;
}

/** What scripts may read beside the headers that they always may. */
const exposed =
  'X-Request-Id, ETag, Accept-Ranges, Content-Range, Content-Disposition, Content-Length, Retry-After';
/** How long a browser may remember the answer to a preflight request; Chromium's most. */
const maxAgeSeconds = 7200;
const none: Readonly<Record<string, string>> = {};

/** @param origins exact origins, or "*" for any; credentials (cookies) never travel */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*');
  const allowed = new Set(origins);
  const vary = any || origins.length === 0 ? none : { vary: 'Origin' };
  const forAny = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed };

  function headers(origin: string | undefined): Readonly<Record<string, string>> {
    if (origin === undefined) return vary;
    if (any) return forAny;
    if (!allowed.has(origin)) return vary;
    return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed };
  }

  return {
    headers,
    preflight(origin, requestedHeaders) {
      if (!any && !allowed.has(origin)) return undefined;
      const asked = requestedHeaders !== undefined && /^[\w!#$%&'*+.^`|~, -]{1,1000}$/.test(requestedHeaders);
      return {
        ...headers(origin),
        'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
        'access-control-allow-headers': asked ? requestedHeaders : 'Content-Type, Accept',
        'access-control-max-age': String(maxAgeSeconds),
      };
    },
  };
}
