/** Baseline for HTTP: node:http with prepared responses of the right size. argv: port. */
import { createServer } from 'node:http';

// The bytes are not 0, because the system maps all pages of a zeroed buffer to one page of memory.
const bodies = new Map([
  ['/meta', Buffer.alloc(1000, 32)],
  ['/slice', Buffer.alloc(360 * 720 * 4, 1)],
  ['/series', Buffer.alloc(365 * 4, 1)],
  ['/points', Buffer.alloc(20 * 4, 1)],
]);

createServer((request, response) => {
  const body = bodies.get(request.url);
  request.resume();
  response.writeHead(body === undefined ? 404 : 200, { 'content-length': body?.length ?? 0 });
  response.end(body);
}).listen(Number(process.argv[2]), '127.0.0.1');
