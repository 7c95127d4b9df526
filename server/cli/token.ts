import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits cannot be guessed, so storing a plain hash is sufficient. */
const TOKEN_BYTES = 32;

/** `zarrql token`: prints a new token and its hash on stdout, one per line. */
export function printNewToken(): void {
  const token = `zql_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const hash = createHash('sha256').update(token, 'utf8').digest('hex');
  process.stdout.write(`token:  ${token}\nsha256: ${hash}\n`);
}
