/**
 * Servers of Google Cloud Storage and Azure Storage on this machine: fake-gcs-server, compiled by Go, and Azurite, an npm
 * package. If one is not available, its tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they fail.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAzureStore, type AzureStoreOptions } from '../../server/store/azure.js';
import { createGcsStore, type GcsStoreOptions } from '../../server/store/gcs.js';
import type { KeyStore } from '../../server/store/store.js';
import { installMs, type Program, type RunningProgram, startProgram } from '../setup/program.js';

const run = promisify(execFile);
const GCS_VERSION = 'v1.56.1';
const AZURITE_VERSION = '3.37.0';

const fakeGcs: Program = {
  version: GCS_VERSION,
  command: 'fake-gcs-server',
  install: (folder) =>
    run(
      'go',
      ['install', '-trimpath', '-ldflags=-s -w', `github.com/fsouza/fake-gcs-server@${GCS_VERSION}`],
      {
        env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
        timeout: installMs,
      },
    ),
  args: (port) => `-scheme http -host 127.0.0.1 -port ${port} -backend memory -log-level error`.split(' '),
  env: {},
  health: '/_internal/healthcheck',
};

const azurite: Program = {
  version: AZURITE_VERSION,
  command: 'node_modules/.bin/azurite-blob',
  async install(folder) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{}');
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    await run('npm', ['install', ...flags, `azurite@${AZURITE_VERSION}`], { timeout: installMs });
  },
  args: (port) =>
    `--blobHost 127.0.0.1 --blobPort ${port} --inMemoryPersistence --silent --skipApiVersionCheck --disableTelemetry`.split(
      ' ',
    ),
  env: {},
  health: '/',
};

/** The published account of Azurite and of its predecessors. */
const account = 'devstoreaccount1';
const accountKey = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

export interface CloudServer {
  readonly stop: () => Promise<void>;
  /** Creates an empty bucket. @returns its name */
  readonly createBucket: () => Promise<string>;
  /** @param location a bucket and a prefix */
  readonly open: (location: string, options?: Partial<GcsStoreOptions & AzureStoreOptions>) => KeyStore;
  /** The address of a store, with its endpoint. */
  readonly urlOf: (location: string) => string;
  readonly credentials: Partial<AzureStoreOptions>;
}

type Missing = { readonly missing: string };

async function unlessMissing(
  name: string,
  start: () => Promise<CloudServer>,
): Promise<CloudServer | Missing> {
  try {
    return await start();
  } catch (error) {
    const missing = `no ${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(missing, { cause: error });
    console.warn(`skipped: ${missing}`);
    return { missing };
  }
}

export function startGcs(): Promise<CloudServer | Missing> {
  return unlessMissing('fake-gcs-server (it takes Go)', async () => {
    const server = await startProgram('fake-gcs-server', fakeGcs);
    const proxy = await withDeleteConditions(server);
    return {
      stop: proxy.stop,
      credentials: {},
      async createBucket() {
        const name = `zarrql-${randomBytes(8).toString('hex')}`;
        const response = await fetch(`${server.endpoint}/storage/v1/b`, {
          method: 'POST',
          body: JSON.stringify({ name }),
        });
        if (!response.ok) throw new Error(`no bucket: ${response.status}`);
        return name;
      },
      urlOf: (location) => `gs://${location}?anonymous=true&endpoint=${proxy.endpoint}`,
      open: (location, options = {}) =>
        createGcsStore({
          label: 'test',
          url: `gs://${location}`,
          endpoint: proxy.endpoint,
          anonymous: true,
          retryBaseMs: 1,
          ...options,
        }),
    };
  });
}

/** The server ignores conditions of deletions, but not the generation to delete: a proxy requests that. */
async function withDeleteConditions({ endpoint, stop }: RunningProgram): Promise<RunningProgram> {
  const proxy = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '', endpoint);
    const generation = incoming.method === 'DELETE' ? url.searchParams.get('ifGenerationMatch') : null;
    if (generation !== null) url.searchParams.set('generation', generation);
    const forwarded = sendRequest(url, { method: incoming.method, headers: incoming.headers }, (response) => {
      const status = generation !== null && response.statusCode === 404 ? 412 : response.statusCode;
      outgoing.writeHead(status ?? 500, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      proxy.close();
      proxy.closeAllConnections();
      await stop();
    },
  };
}

export function startAzure(): Promise<CloudServer | Missing> {
  return unlessMissing('Azurite (it takes npm)', async () => {
    const server = await startProgram('azurite', azurite);
    const endpoint = `${server.endpoint}/${account}`;
    const credentials = { account, accountKey };
    return {
      stop: server.stop,
      credentials,
      async createBucket() {
        const { authorizeAzure } = await import('../../server/store/cloud/azure-credentials.js');
        const name = `zarrql-${randomBytes(8).toString('hex')}`;
        const none = { sas: undefined, tenantId: undefined, clientId: undefined, clientSecret: undefined };
        const { authorize } = authorizeAzure({ ...credentials, ...none, anonymous: false });
        const address = new URL(`${endpoint}/${name}?restype=container`);
        const headers = { 'x-ms-version': '2021-12-02', 'x-ms-blob-public-access': 'container' };
        const signed = await authorize({ method: 'PUT', address, headers, signal: undefined });
        const response = await fetch(address, { method: 'PUT', headers: signed.headers });
        if (!response.ok) throw new Error(`no container: ${response.status} ${await response.text()}`);
        return name;
      },
      urlOf: (location) => `az://${location}?account=${account}&endpoint=${endpoint}`,
      open: (location, options = {}) =>
        createAzureStore({
          label: 'test',
          url: `az://${location}`,
          endpoint,
          ...credentials,
          retryBaseMs: 1,
          ...options,
        }),
    };
  });
}
