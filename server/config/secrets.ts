/** Secrets in the configuration. Options contain the source of a secret, never its value. */
import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { isRecord } from '../../wire/guards.js';
import { ConfigError } from './values.js';

/** Where a secret is stored: in an environment variable, or in a file that contains nothing else. */
export type SecretSource = { readonly env: string } | { readonly file: string };

export const HOW_TO_GIVE_SECRETS =
  'use { env: NAME } for an environment variable, or { file: PATH } for a file that contains it';

/** The source of a secret. A literal secret is rejected, and the message omits it. */
export function secretSource(): z.ZodType<SecretSource> {
  return z.unknown().transform((value, context) => {
    const source = sourceOf(value);
    if (source !== undefined) return source;
    context.addIssue({
      code: 'custom',
      message:
        typeof value === 'string'
          ? `a secret must not be in the configuration; ${HOW_TO_GIVE_SECRETS}`
          : `expected the source of a secret: ${HOW_TO_GIVE_SECRETS}`,
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

/** Resolves relative paths against `folder`. */
export function rootedSource(value: unknown, folder: string): unknown {
  if (!isRecord(value) || typeof value['file'] !== 'string' || isAbsolute(value['file'])) return value;
  return { ...value, file: resolve(folder, value['file']) };
}

const MAX_SECRET_BYTES = 65_536;

/**
 * Reads a secret. Removes line breaks at the end of a file.
 * @param option name of the option, for messages
 * @throws ConfigError if it is missing or empty, or its file cannot be read or is too long
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
      ? `${option}: the variable ${source.env} is not set, or is empty`
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
  if (text.length > MAX_SECRET_BYTES)
    throw new ConfigError([
      `${option}: the file ${path} has ${text.length} characters; a secret may have at most ${MAX_SECRET_BYTES}`,
    ]);
  return text.replace(/[\r\n]+$/, '');
}
