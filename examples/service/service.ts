// A service: the mean of a month's sea surface temperatures between two latitudes.
//   curl 'http://127.0.0.1:4001/?month=3&south=-10&north=10'
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createClient, isZarrqlError } from 'zarrql-client';
import type { Stores } from '../stores.gen.js';

const url = process.env['GATEWAY'] ?? 'http://127.0.0.1:4000/graphql';
const sst = createClient<Stores>({ url }).store('coads').dataset().variable('SST');

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const month = Number(query.get('month') ?? 1);
  // A negative position would count from the end.
  if (!(month >= 1)) {
    response.writeHead(400).end('month must be from 1 to 12');
    return;
  }
  const [south, north] = [Number(query.get('south') ?? -90), Number(query.get('north') ?? 90)];
  try {
    const { data } = await sst.slice({ TIME: month - 1, COADSY: { between: [south, north] } });
    const known = data.filter((value) => !Number.isNaN(value));
    response.end(JSON.stringify({ mean: known.reduce((sum, value) => sum + value, 0) / known.length }));
  } catch (error) {
    response.writeHead(isZarrqlError(error, 'BAD_SELECTION') ? 400 : 502).end(String(error));
  }
}

const server = createServer((request, response) => {
  respond(request, response).catch((error: Error) => response.destroy(error));
});
server.listen(Number(process.env['PORT'] ?? 4001), () => console.log(server.address()));
