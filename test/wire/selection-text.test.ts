import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MAX_SELECTION_TEXT,
  parseSelectionText,
  parseSliceText,
  positionsText,
  SelectionTextError,
  type TextDim,
  wordText,
} from '../../wire/selection-text.js';

/** The value of the only part, without columns. */
function valueOf(text: string): unknown {
  const parsed = parseSelectionText(`d=${text}`);
  if (parsed.kind !== 'named') throw new TypeError('expected a name');
  return JSON.parse(
    JSON.stringify(parsed.named[0]?.by, (key, value: unknown) => (key === 'column' ? undefined : value)),
  );
}

function columnOf(text: string, parse: (text: string) => unknown = parseSelectionText): number | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SelectionTextError)) throw error;
    expect(error.message.startsWith(`column ${error.column}: `)).toBe(true);
    return error.column;
  }
}

const label = (text: string, isQuoted = false) => ({ text, isQuoted });

test.each<[string, unknown]>([
  ['2021-03', { kind: 'label', label: label('2021-03') }],
  ['-5', { kind: 'label', label: label('-5') }],
  ['New York', { kind: 'label', label: label('New York') }],
  ['"a, b=1..2"', { kind: 'label', label: label('a, b=1..2', true) }],
  ["'it''s'", { kind: 'label', label: label("it's", true) }],
  ['2021-03-01T12:30', { kind: 'label', label: label('2021-03-01T12:30') }],
  ['~181', { kind: 'near', label: label('181') }],
  ['~ "x"', { kind: 'near', label: label('x', true) }],
  ['-5..5', { kind: 'between', from: label('-5'), to: label('5') }],
  ['0.5..1.5', { kind: 'between', from: label('0.5'), to: label('1.5') }],
  ['..5', { kind: 'between', to: label('5') }],
  ['2021-03 ..', { kind: 'between', from: label('2021-03') }],
  ['"a..b".."c"', { kind: 'between', from: label('a..b', true), to: label('c', true) }],
  ['(850, 500)', { kind: 'labels', labels: [label('850'), label('500')] }],
  ['\t"a, b"', { kind: 'label', label: label('a, b', true) }],
  ['5.. .5', { kind: 'between', from: label('5'), to: label('.5') }],
  ['("a, b", c)', { kind: 'labels', labels: [label('a, b', true), label('c')] }],
  ['#3', { kind: 'index', index: 3 }],
  ['#-1', { kind: 'index', index: -1 }],
  ['[0:4]', { kind: 'slice', start: 0, stop: 4 }],
  ['10:20:-2', { kind: 'slice', start: 10, stop: 20, step: -2 }],
  ['[ : : 2 ]', { kind: 'slice', step: 2 }],
  ['[0, 3, -1]', { kind: 'indices', indices: [0, 3, -1] }],
  ['#99999999999999999999', { kind: 'index', index: Number.MAX_SAFE_INTEGER }],
])('d=%s', (text, expected) => {
  expect(valueOf(text)).toEqual(expected);
});

test('parts by position, and names with any character', () => {
  expect(parseSelectionText('0, #-1, 2:4, [1, 2], ...,')).toEqual({
    kind: 'dims',
    dims: [{ kind: 'index', index: 0 }, { kind: 'index', index: -1 }, { kind: 'slice', start: 2, stop: 4 }, { kind: 'indices', indices: [1, 2] }, { kind: 'ellipsis' }], // prettier-ignore
  });
  expect(parseSelectionText('  ')).toEqual({ kind: 'all' });
  const names = (text: string) => {
    const parsed = parseSelectionText(text);
    return parsed.kind === 'named' ? parsed.named.map(({ dim, column }) => [dim, column]) : [];
  };
  expect(names(' a=b=3, "x, y=[" = #0,\'q\'=1')).toEqual([['a=b', 2], ['x, y=[', 9], ['q', 23]]); // prettier-ignore
});

test.each<[string, number]>([
  ['time=2021-03, lat', 15],
  ['=0', 1],
  ['d0=', 4],
  ['d0=...', 4],
  ['..., d0=1', 1],
  ['d=(1, 2', 8],
  ['d=[', 4],
  ['d=[1, x]', 7],
  ['d=()', 4],
  ['d=#x', 4],
  ['d=~', 4],
  ['d=..', 3],
  ['d="abc', 3],
  ['d="a"b', 6],
  ['d=a"b', 4],
  ['d=1:2:0', 3],
  ['d=-5...5', 5],
  ['d=1...', 4],
  ['d=a,,b', 5],
  ['d=(1,,2)', 6],
  ['2021-03', 1],
  ['0, ~5', 4],
  ['..., ...', 6],
  [',', 1],
])('%s is wrong at column %i', (text, column) => {
  expect(columnOf(text)).toBe(column);
});

describe('a path with a selection', () => {
  test('has the columns of the whole text', () => {
    expect(parseSliceText('/a/b')).toEqual({ path: '/a/b', selection: { kind: 'all' } });
    expect(parseSliceText(' sst[0, [1:2]] ')).toMatchObject({ path: 'sst', selection: { kind: 'dims' } });
    expect(columnOf('sst[time=2021, lat=(]', parseSliceText)).toBe(21);
    expect(columnOf('sst[0', parseSliceText)).toBe(6);
    expect(columnOf('[0]', parseSliceText)).toBe(1);
  });
});

describe('hostile text', () => {
  test('is parsed in one pass, or rejected with a column within it', () => {
    const characters = fc.constantFrom(...Array.from('aé0-1.,=#~:[]()"\' \t\\'), '..', '...', 'd=');
    const texts = fc.array(characters, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const column = columnOf(text);
        if (column !== undefined) expect(column).toBeLessThanOrEqual(text.length + 1);
        columnOf(text, parseSliceText);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    '(',
    '[',
    '"',
    "'",
    ',',
    '=',
    '.',
    '..',
    ':',
    '~',
    '#',
    'd=(',
    'd="',
    '""',
    '0,',
    '1:',
    'd=1..',
  ])('of many %s ends', (part) => {
    const text = part.repeat(Math.floor(MAX_SELECTION_TEXT / part.length));
    // Steps are counted by the characters that are read: a quadratic parser reads millions.
    columnOf(text);
    columnOf(`a${text}`.slice(0, MAX_SELECTION_TEXT));
    expect(text.length).toBeLessThanOrEqual(MAX_SELECTION_TEXT);
  });

  test('that is too long is rejected', () => {
    expect(columnOf('0'.repeat(MAX_SELECTION_TEXT + 1))).toBe(MAX_SELECTION_TEXT + 1);
    expect(columnOf(`a[${'0'.repeat(MAX_SELECTION_TEXT)}]`, parseSliceText)).toBe(MAX_SELECTION_TEXT + 1);
  });
});

test('names, labels and positions are written so that they are read back', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
      fc.constantFrom<TextDim>(
        { kind: 'index', index: -2 },
        { kind: 'slice', start: 1, step: 2 },
        { kind: 'slice' },
        { kind: 'indices', indices: [0, 5] },
      ),
      (name, by) => {
        if (by.kind !== 'index' && by.kind !== 'slice' && by.kind !== 'indices') return;
        const [column] = [1];
        expect(parseSelectionText(positionsText(name, by))).toEqual({
          kind: 'named',
          named: [{ dim: name, by, column }],
        });
        const parsed = parseSelectionText(`d=${wordText(name)}`);
        if (wordText(name).startsWith('"'))
          expect(parsed).toMatchObject({ named: [{ by: { label: { text: name } } }] });
      },
    ),
  );
});
