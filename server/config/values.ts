import * as z from 'zod';

/**
 * The configuration is invalid. The message lists the problems: where known, the option with the source of its value
 * and the expected form.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One line per problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}

const byteUnits: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};
const byteText = /^(\d+(?:\.\d+)?)\s*([kmg]?i?b)?$/i;

/**
 * Converts "64MiB", "1.5 GB", "1000" or a number to bytes. Other values are returned unchanged, and the
 * schema rejects them.
 */
function fromByteText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const match = byteText.exec(value.trim());
  const unit = byteUnits[(match?.[2] ?? 'B').toLowerCase()];
  return match?.[1] === undefined || unit === undefined ? value : Math.round(Number(match[1]) * unit);
}

function fromNumberText(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
}

const switches: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  1: true,
  false: false,
  off: false,
  no: false,
  0: false,
};

function fromSwitchText(value: unknown): unknown {
  return typeof value === 'string' ? (switches[value.trim().toLowerCase()] ?? value) : value;
}

/** A number of bytes within bounds, optionally with a unit ("64 MiB"). */
export function byteCount(min: number, max: number): z.ZodType<number> {
  const message = `expected a number of bytes from ${min} to ${max}, or text such as "64MiB"`;
  return z.preprocess(fromByteText, z.int({ error: message }).min(min, message).max(max, message));
}

/** An integer within bounds, also as text. */
export function count(min: number, max: number, expected = 'an integer'): z.ZodType<number> {
  const message = `expected ${expected} from ${min} to ${max}`;
  return z.preprocess(fromNumberText, z.int({ error: message }).min(min, message).max(max, message));
}

/** A schema for true or false, also as text ("on", "0"). */
export function toggle(): z.ZodType<boolean> {
  return z.preprocess(fromSwitchText, z.boolean({ error: 'expected true or false' }));
}

/** A schema for "*", or an origin exactly as browsers send it. */
export function origin(): z.ZodType<string> {
  const isOrigin = (text: string): boolean =>
    text === '*' || (URL.canParse(text) && new URL(text).origin === text);
  return z.string().refine(isOrigin, {
    error:
      'expected an origin such as "https://example.org" (scheme, name and port; no path, no trailing slash) or "*"',
  });
}

/** A host name or address without a port, in lower case, or "*" for any. */
export function hostName(): z.ZodType<string> {
  return z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .refine((text) => text === '*' || /^\[[0-9a-f:.]+\]$/.test(text) || /^[a-z0-9_.-]+$/.test(text), {
      error:
        'expected a host name such as "data.example.org" without scheme and port, an IPv6 address in brackets, or "*"',
    });
}

/** An http or https URL without user name, query and fragment. Removes trailing slashes. */
export function httpAddress(): z.ZodType<string> {
  const isAddress = (text: string): boolean => {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  };
  return z
    .string()
    .refine(isAddress, {
      error: 'expected a URL such as "https://data.example.org" or "https://example.org/zarr"',
    })
    .transform((text) => text.replace(/\/+$/, ''));
}

/** The address of a Redis server. A password is rejected, because addresses are shown in logs. */
export function redisAddress(): z.ZodType<string> {
  const isAddress = (text: string): boolean => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname, pathname, search, hash } = new URL(text);
    return (
      /^rediss?:$/.test(protocol) &&
      hostname !== '' &&
      search + hash === '' &&
      /^(\/\d{0,4})?$/.test(pathname)
    );
  };
  return z
    .string()
    .refine((text) => !URL.canParse(text) || new URL(text).password === '', {
      error: 'the password must not be in the address; set redisPassword',
      abort: true,
    })
    .refine(isAddress, {
      error:
        'expected an address such as "redis://localhost:6379" or "rediss://user@redis.example.org:6380/2"',
    });
}
