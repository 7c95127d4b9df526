/** JSON Web Tokens: validation, roles, expiry and rate limits. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config.js';
import { createAuthenticator } from '../../../server/http/auth/authenticator.js';
import { group, realGateway, type RealGateway } from '../real-gateway.js';
import {
  gatewayWith,
  keyFile,
  keys,
  keySet,
  names,
  others,
  sign,
  type TokenOptions,
} from './signed-tokens.js';

const seconds = (fromNow: number): number => Math.floor(Date.now() / 1000) + fromNow;

describe('a signed token', () => {
  async function gateway(): Promise<RealGateway> {
    const file = keyFile();
    writeFileSync(file, await keySet(['one', keys]));
    return gatewayWith(file);
  }

  test('grants the claimed roles', async () => {
    const { query, log } = await gateway();
    const { json } = await query(names, { token: await sign() });
    expect(json).toEqual({ data: { stores: { nodes: [{ name: 'data' }] } } });
    expect(log.find(({ msg }) => msg === 'request')).toMatchObject({ caller: 'jwt:somebody' });
    const none = await query(names, { token: await sign({ claims: { access: {} } }) });
    expect(none.json.data.stores.nodes).toEqual([]);
  });

  test('can list roles as text, as in "scope"', async () => {
    const { query } = await gateway();
    const { json } = await query(names, { token: await sign({ claims: { access: { roles: 'x reader' } } }) });
    expect(json.data.stores.nodes).toHaveLength(1);
  });

  test.each<[string, TokenOptions]>([
    ['expired', { expires: seconds(-60) }],
    ['not good yet', { claims: { nbf: seconds(600) } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another audience', { claims: { aud: 'other' } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a key that is not known', { kid: 'two' }],
  ])('%s is rejected', async (_, options) => {
    const { query } = await gateway();
    // `sign` would overwrite these claims.
    const { pair = keys, kid = 'one', claims = {}, expires = seconds(600) } = options;
    const token = await new SignJWT({
      access: { roles: ['reader'] },
      iss: 'https://issuer.example',
      aud: 'zarrql',
      sub: 'somebody',
      exp: Number(expires),
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(pair.privateKey);
    const response = await query(names, { token });
    expect(response.status).toBe(401);
    expect(response.json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('is valid within the clock tolerance after it expires', async () => {
    const { query } = await gateway();
    expect((await query(names, { token: await sign({ expires: seconds(-10) }) })).status).toBe(200);
  });

  test('gives its caller an expiry that includes the clock tolerance', async () => {
    const jwks = keyFile();
    writeFileSync(jwks, await keySet(['one', keys]));
    const jwt = { jwks, issuer: 'https://issuer.example', audience: 'zarrql', clockToleranceSeconds: 20 };
    const { auth } = parseConfig({ auth: { roles: {}, jwt } });
    if (auth === undefined) throw new TypeError('expected a configuration of authentication');
    const authenticate = createAuthenticator(auth, () => {});
    const expires = seconds(-10);
    const result = await authenticate({ authorization: `Bearer ${await sign({ expires })}` });
    expect(result).toMatchObject({ caller: { expiresAtMs: (expires + 20) * 1000 } });
  });

  test('that is forged is rejected: another key, no algorithm, a shared secret, a changed or missing signature', async () => {
    const { query } = await gateway();
    const secret = new TextEncoder().encode(await keySet(['one', keys]));
    const claims = {
      access: { roles: ['reader'] },
      iss: 'https://issuer.example',
      aud: 'zarrql',
      sub: 's',
      exp: seconds(600),
    };
    const unsigned = [{ alg: 'none', kid: 'one' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const good = await sign();
    const forged = [
      await sign({ pair: others }),
      `${unsigned}.`,
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret),
      `${good.slice(0, -4)}AAAA`,
      good.split('.').slice(0, 2).join('.'),
    ];
    for (const token of forged) expect((await query(names, { token })).status).toBe(401);
  });
});

describe('a subject', () => {
  async function withToken(more: object = {}): Promise<RealGateway> {
    const jwks = keyFile();
    writeFileSync(jwks, await keySet(['one', keys]));
    const auth = {
      roles: { reader: { read: ['data'] } },
      tokens: [
        { name: 'somebody', sha256: createHash('sha256').update('static').digest('hex'), roles: ['reader'] },
      ],
      jwt: { jwks, issuer: 'https://issuer.example', audience: 'zarrql', rolesClaim: 'access.roles' },
    };
    return realGateway({ data: { 'zarr.json': group() } }, { auth: parseConfig({ auth }).auth, ...more });
  }

  test('shares no budget with a configured token of its name', async () => {
    const { query, log } = await withToken({ maxClientCost: 1 });
    const jwt = await sign();
    const statuses: number[] = [];
    for (const token of [jwt, jwt, 'static', 'static'])
      statuses.push((await query('{ __typename }', { token })).status);
    expect(statuses).toEqual([200, 429, 200, 429]);
    const callers = log.filter(({ msg }) => msg === 'request').map(({ caller }) => caller);
    expect(new Set(callers)).toEqual(new Set(['jwt:somebody', 'somebody']));
  });

  test('shares no budget with a subject of the same prefix', async () => {
    const { query } = await withToken({ maxClientCost: 1 });
    for (const end of ['a', 'b', 'c']) {
      const token = await sign({ claims: {}, subject: `${'x'.repeat(1000)}${end}` });
      expect((await query('{ __typename }', { token })).status).toBe(200);
    }
  });

  test('cannot be impersonated by the name of a token', () => {
    const token = { name: 'jwt:somebody', sha256: 'a'.repeat(64), roles: ['r'] };
    expect(() => parseConfig({ auth: { roles: { r: {} }, tokens: [token] } })).toThrow(/jwt:/);
  });
});
