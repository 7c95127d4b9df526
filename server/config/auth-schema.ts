import * as z from 'zod';
import { suggest } from './option-names.js';
import { byteCount, count, httpAddress, toggle } from './values.js';

/*
 * Authentication, permissions, and options for access by clients. The options of `auth` exist only in the configuration
 * file: lists of tokens and roles are unreadable as flags, and child processes inherit the environment.
 */
const EXPECTED_TIME = 'expected a time such as 2027-01-31T00:00:00Z';

const roleName = z.string().min(1, 'expected the name of a role');

/** A store or a path within a store; `*` in place of the name means every store. */
const permission = z
  .string()
  .regex(
    /^(\*|(?!\.{1,2}(\/|$))[A-Za-z0-9_.-]+)((\/[^/]+)*)$/,
    'expected a store ("sst"), a path within one ("sst/models/a"), or "*" for every store',
  );

const roleSchema = z.strictObject({
  read: z.array(permission).default([]),
  /** Writing includes reading. */
  write: z.array(permission).default([]),
  /** Permits to start jobs. They also need the right to read their source, and to write to their destination. */
  jobs: toggle().default(false),
  /** Permits `/metrics`. */
  metrics: toggle().default(false),
});

/** Prefix, in the log and in rate limits, of the names of callers that authenticate with a JWT. */
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
  /** Time of expiry, in ISO 8601 with a time zone. */
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
  /** Location of the issuer's public keys: a URL (https, or http within a trusted network) or a file path. */
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
  const known = new Set(stores);
  return Object.entries(auth?.roles ?? {}).flatMap(([role, rights]) =>
    (['read', 'write'] as const).flatMap((right) =>
      rights[right]
        .map((scope) => scope.split('/')[0] ?? '')
        .filter((store) => store !== '*' && !known.has(store))
        .map((store) => `auth.roles.${role}.${right}: unknown store "${store}"${suggest(store, stores)}`),
    ),
  );
}

export const authSchema = z
  .strictObject({
    roles: z.record(roleName, roleSchema).default({}),
    /** Roles of requests without a token. If empty, such requests are rejected. */
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

/** Caching of responses by clients and shared caches, per store. */
export const cacheControlOption = z
  .strictObject({
    maxAgeSeconds: count(0, 31_536_000, 'a number of seconds'),
    public: toggle().default(false),
    immutable: toggle().default(false),
  })
  .exactOptional()
  .meta({
    default: 'none',
    description: 'Caching of responses to GET: `{ maxAgeSeconds: 60 }`, `public`, `immutable`',
  });

/* Options for access by clients: accepted documents, compression, and limits per client. */
export const accessOptions = {
  persistedDocuments: z.string().min(1, 'expected the path of a file').optional().meta({
    placeholder: 'FILE',
    description: 'JSON file of persisted documents by hash or id; clients send the `documentId`',
  }),
  documentMode: z.enum(['any', 'listed'], { error: 'expected "any" or "listed"' }).default('any').meta({
    placeholder: 'MODE',
    description: '`listed` rejects all documents except those of `persistedDocuments`',
  }),
  automaticDocumentBytes: byteCount(0, 2 ** 30)
    .default(4 * 2 ** 20)
    .meta({
      unit: 'bytes',
      description:
        'Memory for documents that clients persist themselves (automatic persisted queries); 0 for none',
    }),
  compression: toggle()
    .default(true)
    .meta({ description: 'Compress responses for clients that accept compression' }),
  trustedProxies: count(0, 10).default(0).meta({
    unit: 'proxies',
    description: 'Number of proxies in front of the gateway, whose `X-Forwarded-For` identifies clients',
  }),
  requestMemoryBytes: byteCount(16 * 2 ** 20, 2 ** 50)
    .optional()
    .meta({
      unit: 'bytes',
      default: 'depends on the memory',
      description: 'Memory that all requests together may hold; further requests wait',
    }),
  memoryWaitMs: count(0, 600_000).default(20_000).meta({
    unit: 'ms',
    description: 'Maximum time that a request waits for memory; then it fails with 503',
  }),
  minClientBytesPerSecond: count(0, 2 ** 30)
    .default(32 * 1024)
    .meta({
      unit: 'bytes a second',
      description: 'Slower readers of large responses are disconnected; 0 for no minimum',
    }),
  maxClientSubscriptions: count(1, 1_000_000).default(100).meta({
    unit: 'subscriptions',
    description: 'Concurrent subscriptions of one client (identified by token, else by address)',
  }),
  maxClientConnections: count(1, 1_000_000).default(100).meta({
    unit: 'connections',
    description:
      'Open WebSockets and reserved event streams of one client (identified by token, else by address)',
  }),
  maxConnectionOperations: count(1, 100_000).default(100).meta({
    unit: 'operations',
    description: 'Concurrent operations of one WebSocket or event stream',
  }),
  maxBatchOperations: count(0, 1000).default(20).meta({
    unit: 'operations',
    description: 'Operations in one batch (an array in the body of a request); 0 rejects batches',
  }),
  maxClientRequests: count(0, 1_000_000).default(0).meta({
    unit: 'requests',
    description: 'Concurrent requests of one client (identified by token, else by address); 0 for no limit',
  }),
  maxClientCost: count(0, 1_000_000_000).default(0).meta({
    unit: 'units per minute',
    description: 'Cost of the requests of one client per minute; 0 for no limit',
  }),
};
