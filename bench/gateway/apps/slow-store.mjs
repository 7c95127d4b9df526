/**
 * An HTTP store with series of float32 values, of which some take long. argv: port, number of slow series, delay in
 * ms, points of a series. Every row of `s0`, `s1`, ... is one chunk. The first series are the slow ones.
 */
import { createServer } from 'node:http';

const [port, slow, delayMs, points] = process.argv.slice(2).map(Number);
const values = Float32Array.from({ length: points }, (_, i) => Math.sin(i / 500) + ((i * 7919) % 101) / 101);
const chunk = Buffer.from(values.buffer);
const metadata = Buffer.from(
  JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: [10_000, points],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [1, points] } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  }),
);

createServer((request, response) => {
  const [, series, key] = /^\/s(\d+)\/(zarr\.json|c\/\d+\/0)$/.exec(request.url) ?? [];
  if (series === undefined) {
    response.writeHead(request.url === '/ready' ? 200 : 404, { 'content-length': 0 }).end();
    return;
  }
  const body = key === 'zarr.json' ? metadata : chunk;
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const [first, last] =
    range === null ? [0, body.length - 1] : [Number(range[1]), Math.min(Number(range[2]), body.length - 1)];
  const headers = { 'content-length': last - first + 1, etag: '"1"', 'accept-ranges': 'bytes' };
  const respond = () => {
    if (range === null) response.writeHead(200, headers);
    else response.writeHead(206, { ...headers, 'content-range': `bytes ${first}-${last}/${body.length}` });
    response.end(body.subarray(first, last + 1));
  };
  // The gateway requests one byte to learn the size of an object.
  if (body === chunk && Number(series) < slow && last > 0) setTimeout(respond, delayMs);
  else respond();
}).listen(port, '127.0.0.1');
