/** Secrets: the configuration tells where they are, never what they are. */
import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './errors.js';
import { isRecord } from './record.js';

/** A variable, or a file that holds the secret and nothing else. */
export type SecretSource = { readonly env: string } | { readonly file: string };

export const howToGiveSecrets =
  'give { env: NAME } for a variable, or { file: PATH } for a file that holds it';

/** A secret's source; a secret itself is refused, and not repeated in the message. */
export function secretSource(): z.ZodType<SecretSource> {
  return z.unknown().transform((value, context) => {
    const source = sourceOf(value);
    if (source !== undefined) return source;
    context.addIssue({
      code: 'custom',
      message:
        typeof value === 'string'
          ? `a secret must not stand in the configuration; ${howToGiveSecrets}`
          : `expected the source of a secret: ${howToGiveSecrets}`,
    });
    return z.NEVER;
  });
}

function sourceOf(value: unknown): SecretSource | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined;
  const { env, file } = value;
  if (typeof env === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(env)) return { env };
  return typeof file === 'string' && file !== '' ? { file } : undefined;
}

/** Relative paths of files count from `folder`. */
export function rootedSource(value: unknown, folder: string): unknown {
  if (!isRecord(value) || typeof value['file'] !== 'string' || isAbsolute(value['file'])) return value;
  return { ...value, file: resolve(folder, value['file']) };
}

const maxSecretBytes = 65_536;

/**
 * The secret, without a line break at its end.
 * @param option whose it is, for messages
 * @throws ConfigError if it is not there or empty
 */
export function readSecret(
  source: SecretSource,
  env: Readonly<Record<string, string | undefined>>,
  option: string,
): string {
  const secret = 'env' in source ? env[source.env] : readSecretFile(source.file, option);
  if (secret !== undefined && secret !== '') return secret;
  throw new ConfigError([
    'env' in source
      ? `${option}: the variable ${source.env} is not set`
      : `${option}: the file ${source.file} is empty`,
  ]);
}

function readSecretFile(path: string, option: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError([`${option}: the file ${path} cannot be read`], { cause });
  }
  if (text.length > maxSecretBytes)
    throw new ConfigError([`${option}: the file ${path} is too long for a secret`]);
  return text.replace(/[\r\n]+$/, '');
}
