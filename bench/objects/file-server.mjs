/** Baseline: sends files with node:fs and node:http only. argv: folder, port. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createServer } from 'node:http';

const [folder, port] = process.argv.slice(2);

createServer((request, response) => {
  const file = openSync(folder + request.url, 'r');
  const bytes = Buffer.allocUnsafeSlow(fstatSync(file).size);
  readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  response.writeHead(200, { 'content-length': bytes.length });
  response.end(bytes);
}).listen(Number(port), '127.0.0.1');
