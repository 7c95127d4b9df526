/** Baseline for HTTP: responds to every request with the bytes of a file. argv: file, port. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, port] = process.argv.slice(2);
const body = readFileSync(file);

createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/cbor', 'content-length': body.length });
    response.end(body);
  });
}).listen(Number(port), '127.0.0.1');
