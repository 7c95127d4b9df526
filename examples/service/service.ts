// A service in front of a gateway: it stores readings, and answers with means that the gateway computes.
//   curl -X POST 'http://127.0.0.1:4001/readings' -d '[18.2, 1013.1]'
//   curl 'http://127.0.0.1:4001/readings'
//   curl 'http://127.0.0.1:4001/sst?month=2021-03&south=-10&north=10'
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClient, isZarrqlError, ndarray } from 'zarrql-client';
import { lazySlice } from 'zarrql-client/analysis';

const client = createClient({ url: process.env['GATEWAY'] ?? 'http://127.0.0.1:4000/graphql' });
const sst = client.store('ocean').dataset().variable('sst', { dtype: 'float32' });
// A second start keeps the readings of the first one.
const readings = await client.store('station').createArray('readings', {
  shape: [0, 2],
  chunkShape: [1024, 2],
  dtype: 'float32',
  dimensionNames: ['time', 'sensor'],
  ifExists: 'KEEP',
});

async function respond({ method, url = '/' }: IncomingMessage, body: unknown): Promise<unknown> {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost');
  if (method === 'POST' && pathname === '/readings') {
    if (!Array.isArray(body) || body.length !== 2 || !body.every(Number.isFinite))
      throw new SyntaxError('expected a list of two numbers');
    await readings.append(ndarray(Float32Array.from(body.map(Number)), [1, 2]));
    return { stored: true };
  }
  if (pathname === '/readings') return { means: await lazySlice(readings).mean('time').read() };
  const [month, south, north] = [
    query.get('month') ?? '2021-01',
    query.get('south') ?? -90,
    query.get('north') ?? 90,
  ];
  const band = lazySlice(sst, { time: { at: month }, lat: { between: [Number(south), Number(north)] } });
  return { mean: (await band.mean().read()).get() };
}

const server = createServer((request, response) => {
  const body = request.method === 'POST' ? json(request) : Promise.resolve();
  body
    .then((value) => respond(request, value))
    .then((result) => response.end(JSON.stringify(result)))
    .catch((error: unknown) => {
      const isMistake = error instanceof SyntaxError || isZarrqlError(error, 'BAD_SELECTION');
      response.writeHead(isMistake ? 400 : 502).end(String(error));
    });
});
server.listen(Number(process.env['PORT'] ?? 4001), () => console.log(server.address()));
