/** TLS to Redis. The server that tests find may be built without TLS, so that a proxy in front of it accepts TLS. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { JobQueue } from '../../server/jobs/queue/job-queue.js';
import { parseJob } from '../../server/jobs/job.js';
import { planJob } from '../../server/jobs/plan-job.js';
import { connectRedis } from '../../server/redis/connection.js';
import { copyOf, createCounted, testStores } from '../jobs/memory-stores.js';
import { startRedis } from '../setup/redis.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const password = 'secret of the server';
const found = await startRedis({ own: true, args: ['--requirepass', password] });
const redis = 'missing' in found ? undefined : found;
afterAll(() => redis?.stop());

interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate that signs itself, for a name. */
function issue(folder: string, name: string): Certificate {
  const files = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  const form = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', ['req', '-x509', ...form, ...subject, '-keyout', files.key, '-out', files.certificate], { stdio: 'ignore' }); // prettier-ignore
  return files;
}

/** Accepts TLS, and passes everything on to the server. @returns its port */
async function proxy({ certificate, key }: Certificate): Promise<number> {
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
    const upstream = connect(redis?.port ?? 0, '127.0.0.1');
    socket.pipe(upstream).pipe(socket);
    for (const [one, other] of [[socket, upstream], [upstream, socket]] as const) one.on('error', () => other.destroy()).on('close', () => other.destroy()); // prettier-ignore
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function connected(url: string, certificates: string | undefined, prefix = 'tls') {
  const logged: string[] = [];
  const log = (details: object, message: string): void =>
    void logged.push(`${JSON.stringify(details)} ${message}`);
  const options = {
    url,
    password,
    prefix,
    timeoutMs: 1000,
    ...(certificates === undefined ? {} : { certificates }),
  };
  const connection = await connectRedis(options, { log: { info: log, warn: log } });
  onTestFinished(() => connection.close());
  return { connection, logged };
}

describe.skipIf(redis === undefined)('rediss', () => {
  test('runs commands, blocking reads and jobs with the certificate of the server', async () => {
    const own = issue(folderOfTest('tls'), 'localhost');
    const port = await proxy(own);
    const { connection } = await connected(`rediss://localhost:${port}`, own.certificate);
    expect(connection.failure).toBeUndefined();
    expect(await connection.run('set', (client) => client.set('tls:a', 'b'))).toBe('OK');
    const reader = connection.open();
    const reading = reader.xread('BLOCK', 5000, 'STREAMS', 'tls:s', '$');
    await expect
      .poll(() => connection.run('info', (client) => client.info('clients')))
      .toContain('blocked_clients:1');
    await connection.run('add', (client) => client.xadd('tls:s', '*', 'a', 'b'));
    expect(JSON.stringify(await reading)).toContain('["a","b"]');
    const { stores, source } = testStores();
    await createCounted(source, '/x', { shape: [64], chunkShape: [4], dtype: 'int16' });
    const queue = new JobQueue(connection, { works: true, log: { info() {}, warn() {} } });
    queue.work(stores);
    onTestFinished(() => queue.close());
    const outcome = await queue.run(await planJob(parseJob(copyOf('/x')), stores), { id: 'tls' });
    expect(outcome).toMatchObject({ done: 1, failed: [] });
  });

  test.each([
    ['a certificate that nobody trusts', 'localhost', 'none'],
    ['the certificate of another authority', 'localhost', 'other'],
    ['a certificate for another name', 'elsewhere', 'own'],
  ])('%s is refused, and the password is not sent', async (_, name, trusted) => {
    const folder = folderOfTest('tls-refused');
    const own = issue(folder, name);
    const certificates = { none: undefined, other: issue(folder, 'other').certificate, own: own.certificate }[
      trusted
    ];
    const { connection, logged } = await connected(`rediss://localhost:${await proxy(own)}`, certificates);
    expect(connection.failure).toBe('certificate');
    await expect(connection.run('get', (client) => client.get('a'))).rejects.toMatchObject({
      failure: 'certificate',
    });
    expect(logged.join()).toContain('Redis is unavailable');
    expect(logged.join()).not.toContain(password);
  });

  test('a connection without TLS to a port with TLS does not hang', async () => {
    const own = issue(folderOfTest('tls-plain'), 'localhost');
    const { connection } = await connected(`redis://localhost:${await proxy(own)}`, undefined);
    expect(connection.failure).toBeDefined();
  });
});
