/** The drawings of imports in docs/architecture.md, compared with the imports of all files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { importsBetweenParts } from '../../scripts/check-imports.mjs';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
/** The lines of code blocks that contain arrows: lists of names between arrows. */
const drawn = (arrow: string): string[][][] =>
  [...page.matchAll(/^ {4}(.+)$/gm)]
    .map(([, line = '']) => line.split(arrow).map((names) => names.trim().split(', ')))
    .filter((steps) => steps.length > 1 && steps.flat().every((name) => /^[\w/.]+$/.test(name)));
const folderOf = (part: string): string => part.split('/')[0] ?? part;
const imports: [string, string][] = importsBetweenParts(root);
const engine = new Set(['core', 'store', 'format', 'compute', 'threads', 'chunks', 'slices', 'zarr']);

test('imports inside the engine follow the arrows, and every arrow exists', () => {
  const arrows = new Set(
    drawn('->').flatMap((steps) =>
      steps.slice(1).flatMap((to, i) => (steps[i] ?? []).flatMap((a) => to.map((b) => `${a} ${b}`))),
    ),
  );
  const actual = new Set(
    imports
      .map(([from, to]) => [folderOf(from), folderOf(to)] as const)
      .filter(([from, to]) => engine.has(from) && engine.has(to) && from !== to)
      .map((pair) => pair.join(' ')),
  );
  expect([...arrows].filter((arrow) => !actual.has(arrow))).toEqual([]);
  const reachable = (from: string, to: string): boolean =>
    [...engine].some((next) => arrows.has(`${from} ${next}`) && (next === to || reachable(next, to)));
  expect([...actual].filter((pair) => !reachable(...(pair.split(' ') as [string, string])))).toEqual([]);
});

test('folders outside the engine import only folders to their right', () => {
  const lines = drawn('>').filter((steps) => !steps.flat().some((name) => name.endsWith('-')));
  const rank = new Map<string, number>();
  for (const steps of lines)
    steps.forEach((names, i) =>
      names.forEach((name) => rank.set(name.replace('zarr/index.ts', 'engine'), i)),
    );
  const outside = imports.filter(([from]) => rank.has(from) && from !== 'engine');
  expect(outside.length).toBeGreaterThan(30);
  const isDrawn = ([from, to]: [string, string]): boolean =>
    to === 'wire' || (rank.get(to) ?? -1) > (rank.get(from) ?? Infinity);
  // The command line contains the generator.
  const known = (to: string): boolean => to === 'client' || to === 'codegen';
  expect(outside.filter((pair) => !isDrawn(pair) && !(pair[0] === 'cli' && known(pair[1])))).toEqual([]);
  const parts = new Set(imports.map(([from]) => from));
  expect(
    [...parts].filter((part) => !engine.has(folderOf(part)) && part !== 'engine' && !rank.has(part)),
  ).toEqual([]);
});
