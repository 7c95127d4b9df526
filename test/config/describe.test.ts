import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultText, optionDescriptions } from '../../server/config.js';

test('every option has its own variable, flag and description', () => {
  for (const key of ['env', 'flag', 'description'] as const) {
    const texts = optionDescriptions.map((option) => option[key]);
    expect(new Set(texts).size).toBe(texts.length);
  }
  expect(optionDescriptions.map((option) => option.env)).toContain('ZARRQL_MAX_OUTPUT_BYTES');
  expect(optionDescriptions.find((option) => option.path[0] === 'graphiql')?.flag).toBe('no-graphiql');
});

test.each(['docs/operations.md'])(
  'the table of %s has every option with its flag, variable and default',
  (file) => {
    const lines = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n');
    const rows = lines
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    for (const option of optionDescriptions) {
      const row = rows.find((cells) => cells[1] === `\`${option.path.join('.')}\``);
      expect(row?.slice(2, 5), option.path.join('.')).toEqual([
        `\`--${option.flag}\``,
        `\`${option.env}\``,
        defaultText(option),
      ]);
    }
  },
);
