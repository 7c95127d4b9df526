/** Certificates of the server. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config.js';

export interface TlsFiles {
  readonly tlsCertificate?: string | undefined;
  readonly tlsKey?: string | undefined;
}

export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Reads certificate and key, and checks that they belong together.
 * @returns undefined without certificate
 * @throws ConfigError if a file cannot be read or used
 */
export function readTls({ tlsCertificate, tlsKey }: TlsFiles): TlsMaterial | undefined {
  if (tlsCertificate === undefined || tlsKey === undefined) return undefined;
  try {
    const material = { cert: readFileSync(tlsCertificate), key: readFileSync(tlsKey) };
    createSecureContext(material);
    return material;
  } catch (cause) {
    // Messages of OpenSSL do not quote the files.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(
      [`tlsCertificate ${tlsCertificate}, tlsKey ${tlsKey}: cannot be used (${reason})`],
      {
        cause,
      },
    );
  }
}
