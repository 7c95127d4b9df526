/** Attacks with values of variable length result in an error or a response, within bounded memory. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const child = fileURLToPath(new URL('variable-length-child.ts', import.meta.url));
const built = new URL('../../dist/server/index.js', import.meta.url).href;

interface Outcome {
  readonly codes: readonly string[];
  readonly peakMiB: number;
}

async function outcomeOf(attack: string): Promise<Outcome> {
  // Runs the built program, which has decoding threads, as `zarrql serve` does. Node strips the types itself: tsx would
  // transform the modules that the attack loads, which takes half a second and 200 MiB.
  const { stdout } = await run(process.execPath, [child, attack], {
    env: { ...process.env, ATTACK_DIST: built },
  });
  return JSON.parse(stdout);
}

/** Maximum memory: about 150 MiB for a small request, plus the memory that the limits of the gateway allow. */
const cases: readonly (readonly [attack: string, codes: readonly string[], maxMiB: number])[] = [
  ['strings', ['LIMIT_EXCEEDED'], 400],
  ['strings within limits', [], 1500],
  ['ragged', [], 1200],
  ['msgpack', ['LIMIT_EXCEEDED'], 700],
  ['json', ['LIMIT_EXCEEDED'], 700],
  ['one of many written', ['LIMIT_EXCEEDED'], 400],
  ['a string broadcast', ['LIMIT_EXCEEDED'], 500],
];

test.each(cases)('%s', { timeout: 120_000 }, async (attack, codes, maxMiB) => {
  const outcome = await outcomeOf(attack);
  expect(outcome.codes).toEqual(codes);
  expect(outcome.peakMiB).toBeLessThan(maxMiB);
});
