/**
 * Requests objects over persistent connections, and prints the number of gigabytes received. Uses node:net, because an
 * HTTP client would take more time than the servers. argv: URL of the prefix, number of objects, bytes of each,
 * connections, seconds.
 */
import { connect } from 'node:net';

const [prefix, objects, bytes, connections, seconds] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(prefix);
const until = performance.now() + Number(seconds) * 1000;
let received = 0;

/** @returns when the time is over */
function run(first) {
  return new Promise((resolve, reject) => {
    let next = first;
    let head = '';
    let left = 0;
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: Buffer.allocUnsafe(2 ** 18),
        callback(size, buffer) {
          let at = 0;
          while (at < size) at = left > 0 ? takeBody(size, at) : takeHead(buffer, size, at);
          return true;
        },
      },
    });
    const send = () => {
      if (performance.now() > until) {
        socket.destroy();
        resolve();
        return;
      }
      next = (next + 1) % Number(objects);
      socket.write(`GET ${pathname}${next} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
    };
    const takeBody = (size, at) => {
      const taken = Math.min(left, size - at);
      left -= taken;
      received += taken;
      if (left === 0) send();
      return at + taken;
    };
    const takeHead = (buffer, size, at) => {
      const before = head.length;
      head += buffer.toString('latin1', at, size);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return size;
      const length = /^HTTP\/1.1 200 .*\r\ncontent-length: (\d+)/is.exec(head)?.[1];
      if (length !== bytes) return fail(`unexpected response: ${head.slice(0, 200)}`, size);
      left = Number(length);
      head = '';
      return at + end + 4 - before;
    };
    const fail = (message, size) => {
      socket.destroy();
      reject(new Error(message));
      return size;
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('end', () => fail('the server closed the connection', 0));
  });
}

await Promise.all(Array.from({ length: Number(connections) }, (_, i) => run(i)));
console.log(received / 1e9);
