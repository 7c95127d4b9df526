import { createHash, randomBytes } from 'node:crypto';

/** 256 bits: nobody guesses it, so that its plain hash can stand in a configuration. */
const tokenBytes = 32;

/** `zarrql token`: a new token, and what the configuration has to know of it, as two lines on stdout. */
export function printNewToken(): void {
  const token = `zql_${randomBytes(tokenBytes).toString('base64url')}`;
  const hash = createHash('sha256').update(token, 'utf8').digest('hex');
  process.stdout.write(`token:  ${token}\nsha256: ${hash}\n`);
}
