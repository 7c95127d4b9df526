/** Signed tokens, and gateways that accept them. */
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, SignJWT } from 'jose';
import { parseConfig } from '../../../server/config.js';
import { folderOfTest } from '../../setup/temporary-folder.js';
import { group, realGateway, type RealGateway } from '../real-gateway.js';

export const keys = await generateKeyPair('ES256');
/** Keys that a gateway does not trust unless they are in its key set. */
export const others = await generateKeyPair('ES256');

/** A JSON Web Key Set with these public keys. */
export async function keySet(...pairs: [string, GenerateKeyPairResult][]): Promise<string> {
  const exported = await Promise.all(
    pairs.map(async ([kid, pair]) => ({
      ...(await exportJWK(pair.publicKey)),
      kid,
      alg: 'ES256',
      use: 'sig',
    })),
  );
  return JSON.stringify({ keys: exported });
}

/** The path of a file for a key set. The file does not exist yet. */
export function keyFile(): string {
  return join(folderOfTest('keys'), 'keys.json');
}

/** A gateway that trusts the key set of a file or URL. */
export function gatewayWith(jwks: string, more: object = {}): Promise<RealGateway> {
  const auth = {
    roles: { reader: { read: ['data'] } },
    jwt: { jwks, issuer: 'https://issuer.example', audience: 'zarrql', rolesClaim: 'access.roles', ...more },
  };
  return realGateway({ data: { 'zarr.json': group() } }, { auth: parseConfig({ auth }).auth });
}

export interface TokenOptions {
  readonly claims?: object;
  readonly subject?: string;
  readonly pair?: GenerateKeyPairResult;
  readonly kid?: string;
  readonly expires?: number | string;
}

/** A token with the roles `reader` and `unheard-of`. */
export function sign({
  claims = {},
  subject = 'somebody',
  pair = keys,
  kid = 'one',
  expires = '1h',
}: TokenOptions = {}): Promise<string> {
  return new SignJWT({ access: { roles: ['reader', 'unheard-of'] }, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer('https://issuer.example')
    .setAudience('zarrql')
    .setSubject(subject)
    .setExpirationTime(expires)
    .sign(pair.privateKey);
}

export const names = '{ stores { nodes { name } } }';
