/** Three replicas, nginx, Redis and S3 under load, while replicas are killed and Redis is restarted: bench/gateway/replicas.mjs. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test(
  'no acknowledged write is lost, no value is wrong, and every event arrives once',
  { timeout: 240_000 },
  () => {
    const args = ['--import', './scripts/typescript-sources.mjs', 'bench/gateway/replicas.mjs'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...args, '--seconds', '30', '--kill-every', '7'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect(status, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toMatch(/^ok$|^skipped/m);
  },
);
