/** A store of blobs in a container of Azure Storage, by its REST API. */
import { ConflictError, InputError, StoreDeniedError, StoreUnavailableError } from '../core/errors.js';
import { flagIn, parseBucketAddress, parseEndpoint } from './cloud/address.js';
import { authorizeAzure } from './cloud/azure-credentials.js';
import { createCloudConnection, bodyText, unexpected } from './cloud/connection.js';
import { createCloudStore, type CloudStoreOptions } from './cloud/create-cloud-store.js';
import type { CloudConnection, CloudPage, CloudService } from './cloud/service.js';
import { type ResponseHead, type Sent, type StoreExchange, TransientFailure } from './http/exchange.js';
import { addressOf } from './http/address.js';
import type { KeyStore, WriteCondition } from './store.js';

export interface AzureStoreOptions extends CloudStoreOptions {
  /**
   * `az://container/prefix`, or `abfs://container@account.dfs.core.windows.net/prefix`, percent-encoded. Its query may
   * contain `account`, `endpoint` and `anonymous`, which override the options. It must not contain credentials.
   */
  readonly url: string;
  /** The storage account. @default that of the URL; AZURE_STORAGE_ACCOUNT */
  readonly account?: string;
  /** URL of another server, with the account in its path if it needs it. @default https://ACCOUNT.blob.core.windows.net */
  readonly endpoint?: string;
  /** Whether requests are sent without credentials, for public containers. @default false */
  readonly anonymous?: boolean;
  /** The key of the account. @default AZURE_STORAGE_KEY */
  readonly accountKey?: string;
  /** A shared access signature. @default AZURE_STORAGE_SAS_TOKEN */
  readonly sas?: string;
  /** A client of Entra ID. @default AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET; a managed identity */
  readonly tenantId?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** Version of the REST API, in which blobs of 5,000 MiB are written with one request. */
const API_VERSION = '2021-12-02';
const accountPattern = /^[a-z0-9]{3,24}$/;
const containerPattern = /^(?:\$root|\$web|[a-z0-9](?!.*--)[a-z0-9-]{1,61}[a-z0-9])$/;

/**
 * Creates a store below a prefix of a container. Versions are ETags; each write has another one. Conditional writes apply to
 * all writers. Only a missing blob means absent, a missing container does not.
 * @throws InputError for an invalid URL; StoreDeniedError for an invalid key or signature
 */
export function createAzureStore(options: AzureStoreOptions): KeyStore {
  const { authority, prefix, query } = parseBucketAddress(options.url, {
    scheme: /^(?:az|abfss?)$/i,
    example: 'az://container/prefix?account=name',
    options: ['account', 'endpoint', 'anonymous'],
  });
  const [, container = authority, named] =
    /^([^@]+)@([a-z0-9]+)\.(?:blob|dfs)\.core\.windows\.net$/.exec(authority) ?? [];
  if (!containerPattern.test(container))
    throw new InputError(
      'the container of an az: URL must be 3 to 63 lower-case letters, digits and hyphens',
    );
  const account = named ?? query.get('account') ?? options.account ?? process.env['AZURE_STORAGE_ACCOUNT'];
  if (account === undefined)
    throw new InputError(
      'the storage account is missing; write az://container/prefix?account=name, or set AZURE_STORAGE_ACCOUNT',
    );
  if (!accountPattern.test(account))
    throw new InputError('the storage account must be 3 to 24 lower-case letters and digits');
  const base = parseEndpoint(
    query.get('endpoint') ?? options.endpoint ?? `https://${account}.blob.core.windows.net`,
  );
  base.pathname = `${base.pathname.replace(/\/$/, '')}/${container}`;
  const { accountKey, sas, tenantId, clientId, clientSecret } = options;
  const anonymous = flagIn(query, 'anonymous') ?? options.anonymous ?? false;
  const authorization = authorizeAzure({
    account,
    anonymous,
    accountKey,
    sas,
    tenantId,
    clientId,
    clientSecret,
  });
  const root = prefix === '' ? '' : `${prefix}/`;
  return createCloudStore(options, (settings) =>
    openContainer(createCloudConnection({ authorization, ...settings }), base, root),
  );
}

const version = { 'x-ms-version': API_VERSION };

function openContainer(connection: CloudConnection, base: URL, root: string): CloudService {
  const blobAddress = (key: string): URL => addressOf(base, root + key);
  return {
    kind: 'AZURE',
    // By UTF-16 units, and hierarchical accounts list by folders.
    isSorted: false,
    exchange: createBlobExchange(connection),
    addressOf: blobAddress,

    async list(prefix, delimiter, token, { signal }): Promise<CloudPage> {
      const start = prefix === '' ? root : `${root}${prefix}/`;
      const address = new URL(base);
      const query = {
        restype: 'container',
        comp: 'list',
        prefix: start,
        delimiter,
        marker: token,
        maxresults: '5000',
      };
      for (const [name, value] of Object.entries(query))
        if (value !== undefined && value !== '') address.searchParams.set(name, value);
      const sent = await connection.send({ method: 'GET', address, headers: version, signal });
      const text = await bodyText(sent);
      if (sent.response.status !== 200) throw failureOf(sent.response);
      return pageIn(text, root, start);
    },

    async put(key, bytes, condition, { signal }) {
      const headers = {
        ...version,
        ...conditionsOf(condition),
        'x-ms-blob-type': 'BlockBlob',
        'content-type': 'application/octet-stream',
      };
      const sent = await connection.send({
        method: 'PUT',
        address: blobAddress(key),
        headers,
        body: bytes,
        signal,
      });
      await bodyText(sent);
      const { response } = sent;
      const code = codeOf(response);
      const isTaken = response.status === 409 && code === 'BlobAlreadyExists';
      const isGone = response.status === 404 && condition?.ifMatch !== undefined && code === 'BlobNotFound';
      if (response.status === 412 || isTaken || isGone) throw conflict(condition?.ifAbsent === true);
      if (response.status !== 201) throw failureOf(response);
      const tag = response.headers.get('etag');
      if (tag === null) throw new TransientFailure('the server did not confirm a write');
      return tag.endsWith('"') ? tag : `"${tag}"`;
    },

    async remove(key, ifMatch, { signal }) {
      const headers = { ...version, ...conditionsOf(ifMatch === undefined ? undefined : { ifMatch }) };
      const sent = await connection.send({ method: 'DELETE', address: blobAddress(key), headers, signal });
      await bodyText(sent);
      const { response } = sent;
      const isMissing = response.status === 404 && codeOf(response) === 'BlobNotFound';
      if (response.status === 412 || (isMissing && ifMatch !== undefined)) throw conflict(false);
      if (response.status !== 202 && !isMissing) throw failureOf(response);
    },

    close: () => connection.close(),
  };
}

/** @throws ConflictError if no blob can have the expected version */
function conditionsOf(condition: WriteCondition | undefined): Record<string, string> {
  const { ifMatch, ifAbsent } = condition ?? {};
  if (ifMatch !== undefined && !/^"[\x21\x23-\x7e]{1,200}"$/.test(ifMatch)) throw conflict(false);
  return {
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifAbsent === true ? { 'if-none-match': '*' } : {}),
  };
}

function conflict(isAbsent: boolean): ConflictError {
  return new ConflictError(
    isAbsent
      ? 'an object with that key already exists'
      : 'another writer has changed the object; read it again',
  );
}

function createBlobExchange(connection: CloudConnection): StoreExchange {
  async function send(
    method: 'GET' | 'HEAD',
    address: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Sent> {
    const suffix = /^bytes=-(\d+)$/.exec(headers['range'] ?? '')?.[1];
    if (suffix !== undefined) return sendSuffix(address, headers, Number(suffix), signal);
    const sent = await connection.send({ method, address, headers: { ...version, ...headers }, signal });
    const { response } = sent;
    const { status } = response;
    if (status === 200 || status === 206 || status === 304 || status === 412 || status === 416) return sent;
    const code = codeOf(response);
    sent.discard();
    // Responses to HEAD have no body, but the same code.
    if (status === 404 && code === 'BlobNotFound') return sent;
    throw failureOf(response);
  }

  /** The service has no ranges from the end: the size is asked for first, and the part read of the same version. */
  async function sendSuffix(
    address: URL,
    headers: Readonly<Record<string, string>>,
    length: number,
    signal: AbortSignal | undefined,
  ): Promise<Sent> {
    const { range: _, ...others } = headers;
    const head = await send('HEAD', address, others, signal);
    const { response } = head;
    if (response.status !== 200) return head;
    head.discard();
    const total = Number(response.headers.get('content-length') ?? Number.NaN);
    const tag = response.headers.get('etag');
    if (!Number.isSafeInteger(total) || tag === null)
      throw new TransientFailure('the server sent no size of a blob');
    const range = `bytes=${Math.max(0, total - length)}-${Math.max(0, total - 1)}`;
    return send('GET', address, { 'if-match': tag, ...others, range }, signal);
  }

  return { send };
}

function codeOf(response: ResponseHead): string | undefined {
  return response.headers.get('x-ms-error-code') ?? undefined;
}

function failureOf(response: ResponseHead): Error {
  const { status } = response;
  const code = codeOf(response);
  if (code === 'ContainerNotFound' || code === 'ContainerBeingDeleted')
    return new StoreUnavailableError('the container does not exist; check its name and the account');
  if (status === 404 && code === undefined)
    return new StoreUnavailableError(
      'the server responded with 404, but not as Azure Storage; check the endpoint',
    );
  if (code === 'BlobArchived' || code === 'BlobBeingRehydrated')
    return new StoreUnavailableError('the blob is archived and must be restored before it can be read');
  if (status === 401 || status === 403)
    return new StoreDeniedError(
      `the server denied access (${status}${code === undefined || !/^\w{1,64}$/.test(code) ? '' : ` ${code}`})`,
    );
  if (status >= 300 && status < 400)
    return new StoreUnavailableError(
      `the server redirects (${status}), which is not followed; check the endpoint`,
    );
  return unexpected(response, code);
}

/** @throws TransientFailure for something else than a listing */
function pageIn(text: string, root: string, start: string): CloudPage {
  if (!/<EnumerationResults[\s>]/.test(text) || !text.includes('</EnumerationResults>'))
    throw new TransientFailure('the server sent no listing');
  const objects: { key: string; bytes: number }[] = [];
  for (const [, blob = ''] of text.matchAll(/<Blob>([^]*?)<\/Blob>/g)) {
    const name = nameIn(blob);
    // Folders of hierarchical accounts are listed beside their blobs.
    if (name === undefined || !name.startsWith(root) || /<ResourceType>directory<\/ResourceType>/.test(blob))
      continue;
    objects.push({
      key: name.slice(root.length),
      bytes: Number(/<Content-Length>(\d+)<\/Content-Length>/.exec(blob)?.[1] ?? 0),
    });
  }
  const folders: string[] = [];
  for (const [, prefix = ''] of text.matchAll(/<BlobPrefix>([^]*?)<\/BlobPrefix>/g)) {
    const name = nameIn(prefix);
    if (name?.startsWith(start) === true) folders.push(name.slice(start.length, -1));
  }
  const next = /<NextMarker>([^<]*)<\/NextMarker>/.exec(text)?.[1];
  return { objects, folders, next: next === undefined || next === '' ? undefined : decodeXml(next) };
}

function nameIn(element: string): string | undefined {
  const [, encoded, name] = /<Name(\s+Encoded="true")?>([^<]*)<\/Name>/.exec(element) ?? [];
  if (name === undefined) return undefined;
  const text = decodeXml(name);
  if (encoded === undefined) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeXml(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name = '') => {
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      if (hex !== undefined || decimal !== undefined)
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      return entities[String(name)] ?? whole;
    },
  );
}
