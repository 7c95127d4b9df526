import { z } from 'zod';
import { count, httpAddress, toggle } from './values.js';

/*
 * Authentication and permissions. These options exist only in the configuration file: lists of tokens and
 * roles are unreadable as flags, and child processes inherit the environment.
 */
const EXPECTED_TIME = 'expected a time such as 2027-01-31T00:00:00Z';

const roleName = z.string().min(1, 'expected the name of a role');

/** A store, a path within one, or either with `*` for every store. */
const grant = z
  .string()
  .regex(
    /^(\*|(?!\.{1,2}(\/|$))[A-Za-z0-9_.-]+)((\/[^/]+)*)$/,
    'expected a store ("sst"), a path within one ("sst/models/a"), or "*" for every store',
  );

const roleSchema = z.strictObject({
  read: z.array(grant).default([]),
  /** Writing includes reading. */
  write: z.array(grant).default([]),
  /** Permits `/metrics`. */
  metrics: toggle().default(false),
});

/** Prefix of the names of callers with a JWT, in the log and in rate limits. */
export const JWT_NAME_PREFIX = 'jwt:';

const tokenSchema = z.strictObject({
  /** The token's owner, shown in the log. */
  name: z
    .string()
    .min(1, 'expected a name for the log')
    .refine(
      (name) => !name.startsWith(JWT_NAME_PREFIX),
      'names that start with "jwt:" are reserved for JSON Web Tokens',
    ),
  sha256: z
    .string()
    .regex(
      /^[0-9a-f]{64}$/,
      'expected the SHA-256 hash of the token as 64 hexadecimal digits; "zarrql token" creates a token and its hash',
    ),
  roles: z.array(roleName).min(1, 'expected at least one role'),
  /** Expiry. */
  expires: z.iso
    .datetime({ offset: true, error: EXPECTED_TIME })
    .refine((text) => !Number.isNaN(Date.parse(text)), EXPECTED_TIME)
    .optional(),
});

/** Signature algorithms without a shared secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

const jwtSchema = z.strictObject({
  /** Location of the issuer's public keys: a URL or a file path. */
  jwks: z.string().min(1, 'expected an https URL or a path'),
  issuer: z.string().min(1, 'expected the "iss" claim of the tokens'),
  audience: z.string().min(1, 'expected the "aud" claim of the tokens'),
  algorithms: z
    .array(z.enum(algorithms))
    .min(1, 'expected at least one algorithm')
    .default(['RS256', 'ES256']),
  clockToleranceSeconds: count(0, 600, 'a number of seconds').default(30),
  /** The claim that lists roles; dots access nested objects. Roles that are not configured grant nothing. */
  rolesClaim: z.string().min(1, 'expected the name of a claim').default('roles'),
});

/** Reports permissions that name unknown stores. */
export function grantsOfUnknownStores(
  auth: z.output<typeof authSchema> | undefined,
  stores: readonly string[],
): string[] {
  return Object.entries(auth?.roles ?? {}).flatMap(([role, rights]) =>
    (['read', 'write'] as const).flatMap((right) =>
      rights[right]
        .map((one) => one.split('/')[0] ?? '')
        .filter((store) => store !== '*' && !stores.includes(store))
        .map((store) => `auth.roles.${role}.${right}: unknown store "${store}"`),
    ),
  );
}

export const authSchema = z
  .strictObject({
    roles: z.record(roleName, roleSchema).default({}),
    /** Roles of requests without a token. If empty, such requests are refused. */
    anonymous: z.array(roleName).default([]),
    tokens: z.array(tokenSchema).default([]),
    jwt: jwtSchema.optional(),
  })
  .superRefine(({ roles, anonymous, tokens, jwt }, context) => {
    const complain = (path: (string | number)[], message: string): void => {
      context.addIssue({ code: 'custom', path, message });
    };
    const known =
      Object.keys(roles)
        .map((name) => `"${name}"`)
        .join(', ') || '(none are defined)';
    const checkRoles = (names: readonly string[], path: (string | number)[]): void => {
      names.forEach((name, i) => {
        // The name is not repeated: a token may have been entered by mistake.
        if (!Object.hasOwn(roles, name)) complain([...path, i], `expected one of the roles ${known}`);
      });
    };
    checkRoles(anonymous, ['anonymous']);
    tokens.forEach((token, i) => {
      checkRoles(token.roles, ['tokens', i, 'roles']);
    });
    const hashes = tokens.map(({ sha256 }) => sha256);
    if (new Set(hashes).size < hashes.length) complain(['tokens'], 'two tokens have the same hash');
    if (anonymous.length === 0 && tokens.length === 0 && jwt === undefined)
      complain(
        [],
        'expected at least one of "tokens", "jwt" and "anonymous"; otherwise no caller can be authenticated',
      );
    if (jwt !== undefined && /^[a-z]+:\/\//i.test(jwt.jwks) && !httpAddress().safeParse(jwt.jwks).success)
      complain(['jwt', 'jwks'], 'expected an https URL or a path');
  });
