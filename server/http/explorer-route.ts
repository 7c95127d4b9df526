/**
 * The explorer: a page at `/` for browsers, and its assets. The page contains no data and requires no
 * token; users enter their token in the page.
 */
import { matchesEtag } from '../gateway/pipeline/cache-control.js';
import { isForPage } from '../gateway/pipeline/write.js';
import type { AccessControl } from './access-control.js';
import { chooseEncoding } from './compression.js';
import { type Exchange, respond, respondWithProblem } from './exchange.js';
import type { HttpConfig } from './options.js';
import { unknownPath } from './problem.js';
import { type ExplorerFiles, type PageFile, withoutGraphiql } from './explorer-files.js';

/** Path prefix of the page's scripts and styles. */
export const ASSETS_PATH = '/assets/';

/**
 * Allows the page's own scripts, styles and images and requests to this gateway, and nothing else, so that viewing
 * untrusted data discloses nothing.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export type ExplorerRoute = ReturnType<typeof createExplorerRoute>;

/**
 * @param files files of the page; undefined if it was not built. `/` then redirects browsers to the endpoint, as for
 * other clients
 */
export function createExplorerRoute(
  config: Pick<HttpConfig, 'explorer' | 'graphiql' | 'compression'>,
  access: Pick<AccessControl, 'admitToPage'>,
  files: ExplorerFiles | undefined,
) {
  const shown = config.explorer ? files : undefined;
  const page = shown && (config.graphiql ? shown.page : withoutGraphiql(shown.page));
  return {
    page: async (exchange: Exchange): Promise<void> => {
      if (page === undefined || !isForPage(exchange.method, exchange.incoming.headers.accept)) {
        // A relative URL also works behind a proxy with a path prefix.
        respond(exchange, 302, '', { location: 'graphql', vary: 'Accept' });
        return;
      }
      if ((await access.admitToPage(exchange)) === undefined) return;
      sendFile(exchange, page, config.compression, {
        vary: 'Accept, Accept-Encoding',
        'cache-control': 'no-cache',
        'content-security-policy': PAGE_POLICY,
      });
    },
    asset: (exchange: Exchange): void => {
      const file = shown?.assets.get(exchange.path.slice(ASSETS_PATH.length));
      if (file === undefined) {
        respondWithProblem(exchange, unknownPath(exchange.path, ['/']));
        return;
      }
      sendFile(exchange, file, config.compression, {
        vary: 'Accept-Encoding',
        'cache-control': 'public, max-age=31536000, immutable',
      });
    },
  };
}

function sendFile(
  exchange: Exchange,
  file: PageFile,
  mayCompress: boolean,
  own: Readonly<Record<string, string>>,
): void {
  const { incoming, outgoing, method } = exchange;
  const accepted = [incoming.headers['accept-encoding'] ?? []].flat().join(',');
  const encoding = mayCompress ? chooseEncoding(accepted)?.name : undefined;
  const encoded = encoding === undefined ? undefined : file[encoding];
  const body = encoded ?? file.plain;
  // Each encoding is a separate representation.
  const etag = encoded === undefined ? file.etag : file.etag.replace(/"$/, `-${encoding}"`);
  const headers = { ...exchange.headers, ...own, etag };
  if (matchesEtag(incoming.headers['if-none-match'], etag)) {
    outgoing.writeHead(304, headers).end();
    return;
  }
  outgoing.writeHead(200, {
    ...headers,
    'content-type': file.type,
    'content-length': String(body.length),
    ...(encoded === undefined ? {} : { 'content-encoding': encoding }),
  });
  if (method === 'HEAD') {
    outgoing.end();
    return;
  }
  exchange.responseBytes = body.length;
  outgoing.end(body);
}
