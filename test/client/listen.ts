/** An HTTP server for a fetch handler, for programs in other processes. */
import { createServer } from 'node:http';

export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const respond = async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const headers = Object.entries(request.headers).map(([key, value]): [string, string] => [
        key,
        String(value),
      ]);
      const { method = 'POST' } = request;
      const init = { method, headers, ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) }) }; // prettier-ignore
      const reply = await fetch(new Request(`http://127.0.0.1${request.url ?? '/'}`, init));
      response.writeHead(reply.status, Object.fromEntries(reply.headers));
      response.end(new Uint8Array(await reply.arrayBuffer()));
    };
    respond().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port ?? 0}/graphql`, close: () => server.close() };
}
