/** Response headers that scripts may read, in addition to safelisted headers. */
const EXPOSED =
  'X-Request-Id, ETag, Accept-Ranges, Content-Range, Content-Disposition, Content-Length, Retry-After';
/** Time, in seconds, for which browsers may cache a preflight response: Chromium's maximum. */
const MAX_AGE_SECONDS = 7200;
const none: Readonly<Record<string, string>> = {};

/**
 * CORS headers. No other origin is allowed unless origins are configured.
 * @param origins exact origins, or "*" for any; credentials (cookies) are never allowed
 */
export function createCors(origins: readonly string[]) {
  const any = origins.includes('*');
  const allowed = new Set(origins);
  const vary = any || origins.length === 0 ? none : { vary: 'Origin' };
  const forAny = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };

  function headers(origin: string): Readonly<Record<string, string>> {
    if (any) return forAny;
    if (!allowed.has(origin)) return vary;
    return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED };
  }

  return {
    /** Headers of responses to requests without an origin. */
    always: vary,
    /** Returns the headers of other responses, which depend on the requesting origin. */
    headers,
    /** Whether scripts of another origin may open WebSockets. */
    mayConnect: (origin: string): boolean => any || allowed.has(origin),
    /** Returns the headers of a preflight response; undefined if the origin is not allowed. */
    preflight(
      origin: string,
      requestedHeaders: string | undefined,
      methods: readonly string[],
    ): Readonly<Record<string, string>> | undefined {
      if (!any && !allowed.has(origin)) return undefined;
      const isValid =
        requestedHeaders !== undefined && /^[\w!#$%&'*+.^`|~, -]{1,1000}$/.test(requestedHeaders);
      return {
        ...headers(origin),
        'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
        'access-control-allow-headers': isValid ? requestedHeaders : 'Content-Type, Accept',
        'access-control-max-age': String(MAX_AGE_SECONDS),
      };
    },
  };
}
