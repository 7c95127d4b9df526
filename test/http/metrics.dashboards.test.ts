/** The dashboard and the alert rules in deploy/ use metrics and labels that exist. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../server/http/metrics.js';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

const dashboard: Dashboard = JSON.parse(readFileSync('deploy/grafana/zarrql.json', 'utf8'));
const { groups }: Rules = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8'));
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  ),
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }): [string, string] => [alert, expr])),
];

/** Names of the metrics, and the labels that each may have, from the text of `/metrics` with one value of each. */
async function known(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = createMetrics();
  metrics.watchMemory(() => ({ maxBytes: 1, heldBytes: 0, waiting: 0, refused: 0 }));
  metrics.watchRedis(() => true);
  metrics.resultLookup?.('hit');
  metrics.chunksDecoded(1, 1);
  const operations = [{ kind: 'query', name: undefined, durationMs: 1, codes: [] } as const];
  metrics.request({
    method: 'GET',
    path: '/',
    route: '/',
    status: 200,
    durationMs: 1,
    responseBytes: 1,
    aborted: false,
    operations,
  });
  metrics.stores.ended({
    store: 's',
    operation: 'read',
    requests: 1,
    bytes: 1,
    milliseconds: 1,
    failure: undefined,
  });
  metrics.stores.hedged?.({ store: 's', operation: 'read' });
  const names = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of (await metrics.text()).matchAll(
    /^([a-z]\w*)(?:\{(.*)\})? \S+$/gm,
  )) {
    const found = names.get(name) ?? new Set(['job', 'instance']);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) found.add(label);
    names.set(name, found);
  }
  return names;
}

test.each(expressions)('%s', async (_, expr) => {
  const metrics = await known();
  const used = [...expr.matchAll(/\b((?:zarrql|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  if (!/^up\b/.test(expr)) expect(used.length).toBeGreaterThan(0);
  for (const [, name = '', selector = ''] of used) {
    expect([...metrics.keys()]).toContain(name);
    for (const [, label = ''] of selector.matchAll(/(\w+)\s*[=!]/g))
      expect([...(metrics.get(name) ?? [])]).toContain(label);
  }
  const labels = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const allowed = used.flatMap(([, name = '']) => [...(metrics.get(name) ?? [])]);
  for (const label of labels) expect(allowed).toContain(label);
});
