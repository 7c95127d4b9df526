/** A server that hands out tokens, and records what it is asked for. */
import { createServer, type IncomingMessage } from 'node:http';

export interface TokenServer {
  readonly url: string;
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    readonly form: URLSearchParams;
  }[];
  /** Status and body of the next responses. */
  respond: (request: number) => {
    readonly status: number;
    readonly body: string;
    readonly location?: string;
  };
  stop(): void;
}

export async function startTokenServer(): Promise<TokenServer> {
  const requests: TokenServer['requests'] = [];
  const server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (piece) => (body += String(piece)));
    incoming.on('end', () => {
      requests.push({
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        form: new URLSearchParams(body),
      });
      const { status, body: sent, location } = tokens.respond(requests.length);
      outgoing.writeHead(status, location === undefined ? {} : { location }).end(sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const tokens: TokenServer = {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    requests,
    respond: (request) => ({
      status: 200,
      body: JSON.stringify({ access_token: `token-${request}`, expires_in: 3600 }),
    }),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return tokens;
}
