/**
 * Signatures of the messages between processes that run a job. With keys, another program that writes to Redis can neither
 * have arrays read, nor report tasks that were not run, nor change partial results.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { InputError } from '../../zarr/index.js';

export interface Signatures {
  /** @param subject what the text is about, so that it cannot be used for something else */
  sign(subject: readonly (string | number)[], text: string): string;
  /** @throws InputError for a text that was not signed with one of the keys */
  verify(subject: readonly (string | number)[], signed: string): string;
}

/** In characters. */
export const SIGNATURE_LENGTH = 43;

/** @param keys the first signs, all are accepted; without keys, texts are not signed */
export function createSignatures(keys: readonly string[], prefix: string): Signatures {
  const secrets = keys.map((key) => Buffer.from(hkdfSync('sha256', key, prefix, 'zarrql jobs', 32)));
  const [first] = secrets;
  if (first === undefined) return { sign: (_, text) => text, verify: (_, text) => text };
  const signatureOf = (secret: Buffer, subject: readonly (string | number)[], text: string): string =>
    createHmac('sha256', secret)
      .update(`${JSON.stringify(subject)}\n`)
      .update(text)
      .digest('base64url');
  return {
    sign: (subject, text) => signatureOf(first, subject, text) + text,
    verify(subject, signed) {
      const given = Buffer.from(signed.slice(0, SIGNATURE_LENGTH));
      const text = signed.slice(SIGNATURE_LENGTH);
      const isSigned = secrets.some((secret) => {
        const expected = Buffer.from(signatureOf(secret, subject, text));
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
      if (isSigned) return text;
      throw new InputError('a message of a job is not signed with a key of this process; give gateways and workers the same hrefKeys'); // prettier-ignore
    },
  };
}
