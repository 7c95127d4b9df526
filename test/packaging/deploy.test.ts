/**
 * The files of deploy/, without a container engine: the commands of the Dockerfile run in a clean folder, and what the
 * other files name exists and agrees. ZARRQL_REQUIRE_ALL=1 makes a missing package registry an error.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../server/config.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const deploy = join(root, 'deploy');
const textOf = (path: string): string => readFileSync(join(deploy, path), 'utf8');
const { shutdownDelayMs, drainTimeoutMs, port, redisPrefix } = loadConfig({});
const shutdownSeconds = (shutdownDelayMs + drainTimeoutMs) / 1000;
const adminPort = 9464;

interface Stage {
  readonly instructions: { readonly name: string; readonly text: string }[];
}

function stagesOf(dockerfile: string): Stage[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push({ instructions: [] });
    stages.at(-1)?.instructions.push({ name, text });
  }
  return stages;
}

const all = (stage: Stage | undefined, name: string): string[] =>
  (stage?.instructions ?? []).filter((instruction) => instruction.name === name).map(({ text }) => text);

test('the commands of the Dockerfile run in a clean folder: install, start as another user, health check, end', async () => {
  const [build, final] = stagesOf(textOf('Dockerfile'));
  const known = ['FROM', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];
  for (const { name } of [...(build?.instructions ?? []), ...(final?.instructions ?? [])])
    expect(known).toContain(name);
  expect(all(build, 'COPY')).toEqual(['zarrql-*.tgz /tmp/']);
  expect(all(final, 'COPY')).toEqual(['--from=build /app /app']);
  expect(all(final, 'USER')).toEqual([expect.stringMatching(/^[1-9]\d*$/)]);
  expect(all(final, 'EXPOSE')).toEqual([String(port)]);

  const folder = folderOfTest('image');
  chmodSync(folder, 0o755);
  const [temporary, app] = [join(folder, 'tmp'), join(folder, 'app')];
  mkdirSync(temporary);
  await run('npm', ['pack', '--pack-destination', temporary], { cwd: root });
  const inFolder = (text: string): string =>
    text.replaceAll('/tmp/', `${temporary}/`).replaceAll('/app', app);
  try {
    for (const command of all(build, 'RUN'))
      await run('sh', ['-ec', inFolder(command)], { cwd: folder, timeout: 300_000 });
  } catch (error) {
    if (
      process.env['ZARRQL_REQUIRE_ALL'] === '1' ||
      !/E(?:AI_AGAIN|NOTFOUND|CONNREFUSED|TIMEDOUT)/.test(String(error))
    )
      throw error;
    return;
  }
  expect(globSync('**/*.map', { cwd: app })).toEqual([]);
  const data = join(folder, 'data');
  cpSync(join(root, 'examples/data/coads.zarr'), join(data, 'coads.zarr'), { recursive: true });
  const variables = all(final, 'ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=')));
  const [program = '', ...args] = parse(all(final, 'ENTRYPOINT')[0] ?? '');
  const command: string[] = parse(all(final, 'CMD')[0] ?? '');
  const user = process.getuid?.() === 0 ? { uid: Number(all(final, 'USER')[0]) } : {};
  // Nothing else of the environment; the port of the test is free.
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    ...Object.fromEntries(variables),
    ZARRQL_PORT: '0',
    ZARRQL_SHUTDOWN_DELAY_MS: '0',
  };
  const child = spawn(
    program,
    [...args.map(inFolder), ...command.map((text) => text.replace('/data', data))],
    { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], ...user },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const address = new URL(String(line).trim());
  const check = /CMD (\[.*\])$/.exec(all(final, 'HEALTHCHECK')[0] ?? '')?.[1] ?? '';
  const [, ...checkArgs]: string[] = parse(check);
  expect(checkArgs.at(-1)).toContain(`:${port}/`);
  const withPort = (to: string): string[] => checkArgs.map((text) => text.replace(`:${port}/`, `:${to}/`));
  await run(process.execPath, withPort(address.port));
  await expect(run(process.execPath, withPort('1'))).rejects.toThrow(/Command failed/);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the unit of systemd', () => {
  const unit = textOf('zarrql.service');
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(shutdownSeconds);
  expect(unit).toMatch(/^ExecStart=.*zarrql serve --config /m);
  // `systemd-notify` is a child process, and SIGHUP reloads.
  expect(unit).toMatch(/^Type=notify\nNotifyAccess=all$/m);
  expect(unit).toMatch(/^ExecReload=kill -HUP \$MAINPID$/m);
});

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: object;
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
}

test('the services of compose.yaml name existing files, services, ports and commands', () => {
  const { services, volumes } = parse(textOf('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: object;
  };
  const names = Object.keys(services);
  const ours = Object.values(services).filter(({ image }) => image === 'zarrql');
  expect(ours.map(({ command }) => command?.[0])).toEqual(['serve', 'serve', 'worker', 'worker']);
  for (const service of Object.values(services)) {
    const needed = Array.isArray(service.depends_on)
      ? service.depends_on
      : Object.keys(service.depends_on ?? {});
    for (const name of needed) expect(names).toContain(name);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) expect(existsSync(join(deploy, source)), source).toBe(true);
      else expect(Object.keys(volumes)).toContain(source);
    }
  }
  for (const {
    build,
    command,
    environment,
    read_only,
    mem_limit,
    stop_grace_period = '',
    volumes: mounted,
  } of ours) {
    expect(existsSync(join(deploy, build?.context ?? '', build?.dockerfile ?? ''))).toBe(true);
    expect({ read_only, mem_limit }).toEqual({ read_only: true, mem_limit: '2g' });
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(shutdownSeconds);
    const [file = '', at] = mounted?.[0]?.split(':') ?? [];
    expect(command?.slice(1)).toEqual(['--config', at]);
    const config = loadConfig({ file: join(deploy, file), env: environment ?? {} });
    expect(names).toContain(new URL(config.redis ?? '').hostname);
    expect(names).toContain(new URL(config.stores[0]?.s3?.endpoint ?? '').hostname);
    expect(config.adminAddress).toBe(`0.0.0.0:${adminPort}`);
  }
  const upstream = [...textOf('compose/nginx.conf').matchAll(/^ {2}server (\S+):(\d+)/gm)];
  expect(upstream.map(([, name]) => name)).toEqual(['gateway-1', 'gateway-2']);
  expect(new Set(upstream.map(([, , at]) => Number(at)))).toEqual(new Set([port]));
  const { scrape_configs, rule_files } = parse(textOf('compose/prometheus.yaml'));
  expect(scrape_configs[0].static_configs[0].targets).toEqual(
    names.slice(0, 4).map((name) => `${name}:${adminPort}`),
  );
  expect(services['prometheus']?.volumes).toContainEqual(
    expect.stringContaining(`prometheus/${rule_files[0]}:`),
  );
});

test('the proxy of compose.yaml has the settings of docs/proxies', () => {
  const settings = (text: string): string[] =>
    [...text.matchAll(/^\s+(proxy_\w+ [^;]*|client_max_body_size [^;]*|keepalive\w* [^;]*);/gm)].map(
      ([, line = '']) => line,
    );
  const documented = settings(readFileSync(join(root, 'docs/proxies/nginx.conf'), 'utf8'));
  expect(documented.length).toBeGreaterThan(8);
  expect(settings(textOf('compose/nginx.conf'))).toEqual(documented);
});

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  /** What it contains depends on the kind. */
  readonly spec: ReturnType<typeof parse>;
}

test('the resources of Kubernetes refer to each other, and to existing options', () => {
  const { resources, configMapGenerator } = parse(textOf('kubernetes/kustomization.yaml'));
  const found: Resource[] = resources.flatMap((file: string) =>
    parseAllDocuments(textOf(`kubernetes/${file}`)).map((document) => document.toJS()),
  );
  const kinds = found.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(kinds).toEqual([
    'apps/v1 Deployment',
    'v1 Service',
    'autoscaling/v2 HorizontalPodAutoscaler',
    'policy/v1 PodDisruptionBudget',
    'apps/v1 Deployment',
    'keda.sh/v1alpha1 ScaledObject',
  ]);
  const deployments = new Map(
    found.filter(({ kind }) => kind === 'Deployment').map((resource) => [resource.metadata.name, resource]),
  );
  const file = configMapGenerator[0].files[0];
  const config = loadConfig({
    file: join(deploy, 'kubernetes', file),
    env: { ZARRQL_HREF_KEYS: 'a'.repeat(32) },
  });
  expect(config.adminAddress).toBe(`0.0.0.0:${adminPort}`);
  for (const { spec } of deployments.values()) {
    const pod = spec.template.spec;
    const [container] = pod.containers;
    expect(spec.replicas).toBeUndefined();
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    expect(spec.template.metadata.annotations['prometheus.io/port']).toBe(String(adminPort));
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(shutdownSeconds);
    expect(pod.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.args.slice(1)).toEqual(['--config', `${container.volumeMounts[0].mountPath}/${file}`]);
    expect(pod.volumes[0].configMap.name).toBe(configMapGenerator[0].name);
    const ports = new Map(
      container.ports.map((each: { name: string; containerPort: number }) => [each.name, each.containerPort]),
    );
    expect(ports.get('admin')).toBe(adminPort);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      if (container[probe] !== undefined) {
        expect(['/livez', '/readyz']).toContain(container[probe].httpGet.path);
        expect(container[probe].httpGet.port).toBe('admin');
      }
  }
  const [gateway, service, autoscaler, budget, worker, scaled] = found;
  expect(gateway?.spec.template.spec.containers[0].ports[0].containerPort).toBe(port);
  expect(service?.spec.selector).toEqual(gateway?.spec.selector.matchLabels);
  expect(budget?.spec.selector).toEqual(gateway?.spec.selector);
  expect(autoscaler?.spec.scaleTargetRef.name).toBe(gateway?.metadata.name);
  expect(scaled?.spec.scaleTargetRef.name).toBe(worker?.metadata.name);
  expect(gateway?.spec.template.spec.containers[0].args[0]).toBe('serve');
  expect(worker?.spec.template.spec.containers[0].args[0]).toBe('worker');
  // The list in which BullMQ keeps the tasks that wait.
  expect(scaled?.spec.triggers).toHaveLength(1);
  const { metadata } = scaled?.spec.triggers[0] ?? {};
  const queue = readFileSync(join(root, 'server/jobs/queue/job-queue.ts'), 'utf8');
  const name = /const QUEUE = '(\w+)'/.exec(queue)?.[1];
  expect(queue).toContain('prefix: `${this.#redis.prefix}:queue`');
  expect(metadata.listName).toBe(`${redisPrefix}:queue:${name}:wait`);
  expect(`redis://${metadata.address}`).toBe(config.redis);
});
