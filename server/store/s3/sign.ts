/** Signature Version 4 of requests without a body and a query (AWS documentation, "Signing a request"). */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export interface SigningKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

interface SignableRequest {
  readonly method: string;
  /** Path of the URL, percent-encoded as it is sent. */
  readonly path: string;
  /** Headers with names in lower case, including `host`. All of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
}

type Signer = (request: SignableRequest, keys: SigningKeys, time: Date) => Record<string, string>;

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** SHA-256 hash of an empty body. */
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** @returns a function that adds the headers of the signature to the headers of a request */
export function createSigner(region: string): Signer {
  let known: { readonly secret: string; readonly day: string; readonly key: KeyObject } | undefined;

  function keyFor(secret: string, day: string): KeyObject {
    if (known?.secret === secret && known.day === day) return known.key;
    const parts = [day, region, 's3', 'aws4_request'];
    const key = parts.reduce<string | Buffer>((secretOf, part) => hmac(secretOf, part), `AWS4${secret}`);
    // Passing bytes, Node would create a key object for each signature, which takes ten times as long.
    known = { secret, day, key: createSecretKey(Buffer.from(key)) };
    return known.key;
  }

  return ({ method, path, headers }, keys, time) => {
    const stamp = time.toISOString().replace(/[:-]|\.\d{3}/g, '');
    const day = stamp.slice(0, 8);
    // Spreading would give every object a separate hidden class.
    const all: Record<string, string> = Object.assign({}, headers);
    all['x-amz-content-sha256'] = EMPTY_HASH;
    all['x-amz-date'] = stamp;
    if (keys.sessionToken) all['x-amz-security-token'] = keys.sessionToken;
    const names = Object.keys(all).sort();
    const lines = names.map((name) => `${name}:${(all[name] ?? '').trim().replace(/\s+/g, ' ')}\n`).join('');
    const signed = names.join(';');
    const canonical = `${method}\n${path}\n\n${lines}\n${signed}\n${EMPTY_HASH}`;
    const scope = `${day}/${region}/s3/aws4_request`;
    const digest = hash('sha256', canonical);
    const signature = hmac(keyFor(keys.secretAccessKey, day), `${ALGORITHM}\n${stamp}\n${scope}\n${digest}`);
    const credential = `${keys.accessKeyId}/${scope}`;
    all['authorization'] =
      `${ALGORITHM} Credential=${credential}, SignedHeaders=${signed}, Signature=${signature.toString('hex')}`;
    return all;
  };
}

function hmac(key: string | Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
