/** Faults of web servers. */
import type { Fault } from './file-server.js';

export const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (_, response) => {
    response.writeHead(code, headers).end('<Error>no</Error>');
    return true;
  };
export const cut: Fault = (_, response, bytes) => {
  response.writeHead(200, { 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  return true;
};
export const reset: Fault = (request) => {
  request.socket.destroy();
  return true;
};
export const silence: Fault = () => true;
export const stall: Fault = (_, response, bytes) => {
  response.writeHead(200, { 'content-length': bytes.length });
  response.write(bytes.subarray(0, 3));
  return true;
};
