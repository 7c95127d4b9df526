/** The grammar of expressions, rejected expressions, and results compared with NumPy. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test, beforeAll } from 'vitest';
import { compileExpression } from '../../server/analysis/expression/compile.js';
import { computeVariables } from '../../server/analysis/expression/computed-slice.js';
import { parseExpression } from '../../server/analysis/expression/parse.js';
import type { Node } from '../../server/analysis/expression/syntax.js';
import type { CoordinateReader } from '../../server/dataset/coordinate-reader.js';
import type { Dataset, Variable } from '../../server/dataset/variable.js';
import {
  InputError,
  isZarrError,
  type Block,
  type LazySlice,
  sizeOf,
  toTypedArray,
} from '../../server/zarr/index.js';
import { smallDataset, type SmallVariable } from './small-dataset.js';

function shown(node: Node): string {
  switch (node.kind) {
    case 'name':
      return node.name;
    case 'call':
      return `${node.operation}(${node.operands.map(shown).join(' ')})`;
    case 'number':
      return String(node.value);
    case 'text':
      return JSON.stringify(node.text);
  }
}

const inputs = ['u', 'v'].map((name) => ({ name, dtype: { name: 'float32' } }));
const compile = (text: string, dtype = 'float32') =>
  compileExpression(
    parseExpression(text),
    inputs.map(({ name }) => ({ name, dtype: { name: dtype } })),
  );

describe('precedence', () => {
  test.each([
    ['a + b * c', 'add(a multiply(b c))'],
    ['a - b - c', 'subtract(subtract(a b) c)'],
    ['a | b & c << 1 + d == 0', 'equal(bitOr(a bitAnd(b shiftLeft(c add(1 d)))) 0)'],
    ['~a ** 2 & -b', 'bitAnd(bitNot(power(a 2)) negate(b))'],
    ['a / b % c', 'remainder(divide(a b) c)'],
    ['-a ** b', 'negate(power(a b))'],
    ['a ** -b ** c', 'power(a negate(power(b c)))'],
    ['- -a', 'negate(negate(a))'],
    ['+a', 'a'],
    ['a or b and not c == d', 'or(a and(b not(equal(c d))))'],
    ['not not a', 'not(not(a))'],
    ['(a + b) * c', 'multiply(add(a b) c)'],
    ['a < b + 1', 'less(a add(b 1))'],
    ['min(a, b, c)', 'min(a b c)'],
    ['min + max', 'add(min max)'],
    ['`a b` + `c``d`', 'add(a b c`d)'],
    ['`nan` + nan', 'add(nan NaN)'],
    ['1e3 + .5 + 2.', 'add(add(1000 0.5) 2)'],
    ['größe + 気温', 'add(größe 気温)'],
    ['constructor + __proto__', 'add(constructor __proto__)'],
  ])('%s', (text, tree) => {
    expect(shown(parseExpression(text))).toBe(tree);
  });
});

describe('errors state the column and the expected token', () => {
  test.each([
    ['', 'column 1: expected a number, a name, a function or "(", found the end'],
    ['a +', 'column 4: expected a number'],
    ['a b', 'column 3: expected an operator or the end, found "b"'],
    ['2a', 'column 2: expected an operator or the end, found "a"'],
    ['(a', 'column 3: expected an operator, "," or ")", found the end'],
    ['sqrt(a b)', 'column 8: expected an operator, "," or ")", found "b"'],
    ['a)', 'column 2: expected an operator or the end, found ")"'],
    ['a < b < c', 'column 7: comparisons do not chain'],
    ['a // b', 'column 3: expected an operator or the end, found "//"; use floor(a / b)'],
    ['a = b', 'compare with =='],
    ['a && b', 'use "and"'],
    ['a ^ b', 'xor(a, b)'],
    ['a.b', 'quote names'],
    ['sqrt()', 'column 1: sqrt takes 1 operands, not 0'],
    ['where(a, b)', 'column 1: where takes 3 operands, not 2'],
    ['sqr(a)', 'column 1: unknown function "sqr"; did you mean "sqrt"?'],
    ['mean(a)', 'unknown function "mean"; expressions compute each value from those at its position'],
    [
      'max(a)',
      'max takes 2 to 16 operands, not 1; expressions compute each value from those at its position',
    ],
    ['abs(a, b)', 'abs takes 1 operands, not 2'],
    ['constructor(a)', 'column 1: unknown function "constructor"'],
    ['__proto__(a)', 'unknown function "__proto__"'],
    ['toString(a)', 'unknown function "toString"'],
    ['and + a', 'column 1: expected a number'],
    ['`a', 'column 1: "`" starts a quoted name, but the name is empty or the closing quote is missing'],
    ['1 + ``', 'column 5: "`" starts a quoted name, but the name is empty or the closing quote is missing'],
    ["'a", `column 1: "'" starts a text, but the closing quote is missing`],
    ['a + €', 'column 5: "€" is not allowed here'],
    ['a + \u0000', 'column 5'],
    ['a + 😀', 'column 5: "😀" is not allowed here'],
    ['import("fs")', 'unknown function "import"'],
  ])('%s', (text, message) => {
    expect(() => parseExpression(text)).toThrow(InputError);
    expect(() => parseExpression(text)).toThrow(message);
  });
});

test.each(['pow', 'hypot', 'log2', 'deg2rad', 'sign', 'isnull', 'notnull', 'isfinite', 'maximum', 'arctan2'])('what to write instead of %s is valid', (name) => {
  const { message } = messageOf(`${name}(a)`);
  const [, form = ''] = /; write (.*)$/.exec(message) ?? [];
  expect(() => parseExpression(form)).not.toThrow();
}); // prettier-ignore

function messageOf(text: string): Error {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error(`${text} is valid`);
}

describe('bounds', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}u${')'.repeat(depth)}`;

  test('expressions are limited in depth', () => {
    expect(shown(parseExpression(nested(32)))).toBe('u');
    for (const text of [nested(33), `${'-'.repeat(33)}u`, `${'not '.repeat(33)}u`, `${'abs('.repeat(33)}u${')'.repeat(33)}`, `${'u**'.repeat(33)}u`])
      expect(() => parseExpression(text)).toThrow('deeper than 32 levels');
    expect(() => parseExpression('('.repeat(1024))).toThrow('deeper than 32 levels');
  }); // prettier-ignore

  test('expressions are limited in size, in bytes', () => {
    const sum = `${'u+'.repeat(511)}u`;
    expect(compile(sum).steps.length).toBe(511);
    expect(() => parseExpression(`${'u+'.repeat(512)}u`)).toThrow('1024 bytes');
    expect(() => parseExpression(`\`${'気'.repeat(341)}\``)).toThrow('1024 bytes');
  });

  test('numbers and operands that the data type cannot represent are rejected', () => {
    for (const bomb of ['u + 9**9**9', 'u * 2**64', 'u + 10**1000', `u + ${'9'.repeat(1000)}`, 'u + (2**63)*2', 'u - -(2**64)'])
      expect(() => compile(bomb)).toThrow('does not fit in 64 bits');
    expect(() => compile('u + 1/0')).toThrow('division by zero');
    expect(() => compile('u + 1%0.0')).toThrow('division by zero');
    expect(() => compile('u + 0**-1')).toThrow('division by zero');
    expect(() => compile('u + (-8)**0.5')).toThrow('complex');
    expect(compile('u + 1e999 + 9.0**9**9').steps.length).toBe(2);
    expect(() => compile('u + 300', 'uint8')).toThrow('column 5: 300 does not fit in uint8');
    // Float functions convert both operands.
    expect(compile('atan2(u, 300) / 1000', 'int8').result.dtype.name).toBe('float16');
    // NumPy computes only squares of booleans as int8.
    expect(['u ** 2', 'u ** 3', 'u ** u', '2 ** u'].map((text) => compile(text, 'bool').result.dtype.name)).toEqual(['int8', 'int64', 'int8', 'int64']);
    expect(() => compile('u ** -1', 'int32')).toThrow('column 3: cannot raise integers');
    expect(() => compile('u - v', 'bool')).toThrow('column 3: cannot subtract booleans');
    expect(() => compile("u == 'a'")).toThrow('column 6: expressions cannot use text');
  }); // prettier-ignore

  test.each(['complex64', 'numpy.datetime64', 'string', 'struct', 'constructor'])(
    '%s is rejected',
    (dtype) => {
      expect(() => compile('v + u', dtype)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
    },
  );

  test('any text is accepted, or rejected with an error of the engine', () => {
    const tokens = ['u', 'v', '(', ')', '+', '-', '*', '**', '/', '%', '<', '==', 'and', 'or', 'not ', ',', 'min(', 'where(', '1', '2.5', '300', 'nan', '`u`', "'x'", ' ', 'é', '='];
    const text = fc.oneof(fc.string(), fc.array(fc.constantFrom(...tokens), { maxLength: 40 }).map((list) => list.join('')));
    fc.assert(
      fc.property(text, fc.constantFrom('int8', 'uint64', 'float16', 'float32', 'float64', 'bool'), (one, dtype) => {
        try {
          const program = compile(one, dtype);
          return program.registers.length <= 1024;
        } catch (error) {
          return isZarrError(error, 'BAD_INPUT', 'UNSUPPORTED');
        }
      }),
      { numRuns: 3000 },
    );
  }); // prettier-ignore
});

describe('programs', () => {
  test('compute equal parts once, and use registers again', () => {
    const twice = compile('sqrt(u*u + v*v) + sqrt(u*u + v*v)');
    expect(twice.steps.map(({ kernel }) => kernel)).toEqual(['multiplySingles', 'multiplySingles', 'addSingles', 'sqrtSingles', 'addSingles']); // prettier-ignore
    expect(compile(`${'u*'.repeat(200)}u`).registers.length).toBeLessThan(5);
  });

  test('never overwrite an input', () => {
    const { loads, constants, steps } = compile('min(u, 0) + max(v, 1) * u - v');
    const kept = new Set([...loads, ...constants].map(({ register }) => register));
    expect(steps.filter(({ out }) => kept.has(out))).toEqual([]);
  });
});

describe('results compared with NumPy', () => {
  // `test/fixtures/analysis/make_expressions.py` writes the cases.
  interface Encoded {
    readonly dims: readonly string[];
    readonly dtype: string;
    readonly shape: readonly number[];
    readonly base64: string;
  }
  type Case = { readonly expression: string } & (
    (Encoded & { readonly exact: boolean }) | { readonly error: string; readonly message: string }
  );
  interface Fixture {
    readonly variables: Readonly<Record<string, Encoded>>;
    readonly cases: readonly Case[];
  }

  const file = new URL('../fixtures/analysis/expressions.json', import.meta.url);
  const fixture = JSON.parse(readFileSync(file, 'utf8')) as Fixture;

  const names: Readonly<Record<string, string>> = {
  '|b1': 'bool', '|i1': 'int8', '<i2': 'int16', '<i4': 'int32', '<i8': 'int64', '|u1': 'uint8', '<u2': 'uint16',
  '<u4': 'uint32', '<u8': 'uint64', '<f2': 'float16', '<f4': 'float32', '<f8': 'float64',
}; // prettier-ignore

  let dataset: Dataset;
  let coordinates: CoordinateReader;

  beforeAll(async () => {
    const variables = Object.entries(fixture.variables).map(([name, { dims, dtype, shape, base64 }], k) => {
      const type = names[dtype] ?? '';
      // Chunk shapes differ between variables and do not divide the shapes.
      const chunks = shape.map((size, d) => Math.max(1, Math.min(size, 1 + ((k + d) % 3))));
      const parsed = {
        name: type,
        itemSize: Buffer.from(base64, 'base64').length / Math.max(1, sizeOf(shape)),
      };
      const values = { dtype: parsed, shape, bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
      const variable: SmallVariable = { dims, dtype: type, shape, chunks, values };
      return [name, variable] as const;
    });
    const { scope } = await smallDataset(Object.fromEntries(variables));
    ({ coordinates } = scope);
    const opened = await scope.dataset();
    if (opened === undefined) throw new Error('the dataset is missing');
    dataset = opened;
  });

  async function compute(expression: string): Promise<LazySlice> {
    const scope = { decodingOf: async (variable: Variable) => variable.decoding(), coordinates };
    return (await computeVariables(expression, dataset, scope)).slice;
  }

  /** Relative tolerance of transcendental functions by NumPy type: NumPy's results vary between processors. */
  const tolerance: Readonly<Record<string, number>> = { '<f2': 2e-3, '<f4': 2e-6, '<f8': 1e-13 };

  function expectValues(block: Block, { dtype, shape, base64, exact }: Encoded & { exact: boolean }): void {
    const given = toTypedArray(block);
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
    const wanted = toTypedArray({ ...block, shape, ...('bytes' in block ? { bytes } : {}) });
    for (let i = 0; i < wanted.length; i++) {
      const [a, b] = [given[i], wanted[i]];
      if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
      const isNear =
        !exact &&
        typeof a === 'number' &&
        typeof b === 'number' &&
        Math.abs(a - b) <= (tolerance[dtype] ?? 0) * Math.abs(b);
      if (!isNear) expect.fail(`element ${i}: ${String(a)}, NumPy ${String(b)}`);
    }
  }

  test.each(fixture.cases.map((one) => [one.expression, one] as const))('%s', async (expression, one) => {
    if ('error' in one) {
      await expect(compute(expression).then((slice) => slice.read())).rejects.toThrow(/expression|integer/);
      return;
    }
    const slice = await compute(expression);
    expect(slice.dims.map(({ name }) => name)).toEqual(one.dims);
    expect([slice.dtype.name, slice.shape]).toEqual([names[one.dtype], one.shape]);
    expectValues(await slice.read(), one);
  });
});
