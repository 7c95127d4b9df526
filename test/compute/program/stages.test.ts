import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../server/analysis/expression/compile.js';
import { parseExpression } from '../../../server/analysis/expression/parse.js';
import type { Program } from '../../../server/compute/program/program.js';
import { stagesOf } from '../../../server/compute/program/stages.js';

const float64 = { name: 'float64' };
const inputs = ['a', 'b', 'c'].map((name) => ({ name, dtype: float64 }));

function compiled(text: string): Program {
  return compileExpression(parseExpression(text), inputs);
}

function kernelsOf({ steps }: Program): string[] {
  return steps.map(({ kernel }) => kernel);
}

/** A and b have both axes, c only the second one. */
const axes = [[0, 1], [0, 1], [1]];

describe('stages of programs', () => {
  it('compute what does not vary along all axes', () => {
    const { stages, programs } = stagesOf([compiled('a * cos(c * 3.5 / 180)')], axes);
    expect(stages.map(({ program, axes: own }) => [kernelsOf(program), own])).toEqual([
      [['multiply', 'divide', 'cos'], [1]],
    ]);
    expect(programs.map(kernelsOf)).toEqual([['multiply']]);
    expect(programs[0]?.loads.map(({ input }) => input)).toEqual([0, 3]);
  });

  it('are nested if some values vary along fewer axes than others', () => {
    const { stages, programs } = stagesOf([compiled('a + b * sin(exp(c))')], [[0, 1, 2], [1, 2], [2]]);
    expect(stages.map(({ program, axes: own }) => [kernelsOf(program), own])).toEqual([
      [['exp', 'sin'], [2]],
      [['multiply'], [1, 2]],
    ]);
    expect(stages[1]?.program.loads.map(({ input }) => input)).toEqual([1, 3]);
    expect(programs.map(kernelsOf)).toEqual([['add']]);
    expect(programs[0]?.loads.map(({ input }) => input)).toEqual([0, 4]);
  });

  it('are shared by programs, and by steps of one program', () => {
    const { stages, programs } = stagesOf([compiled('a * exp(c) + b * exp(c)'), compiled('exp(c)')], axes);
    expect(stages.map(({ program }) => kernelsOf(program))).toEqual([['exp']]);
    expect(programs.map(kernelsOf)).toEqual([['multiply', 'multiply', 'add'], []]);
    expect(programs[1]?.loads.map(({ input }) => input)).toEqual([3]);
  });

  it('hold booleans as such, and other values in the type of their register', () => {
    const typeOf = (text: string, dtype: string): string | undefined => {
      const program = compileExpression(parseExpression(text), [inputs[0], { name: 'c', dtype: { name: dtype } }].flatMap((input) => input ?? [])); // prettier-ignore
      return stagesOf([program], [[0, 1], [1]]).stages[0]?.program.result.dtype.name;
    };
    expect(typeOf('where(c > 3, a, 0)', 'float32')).toBe('bool');
    expect(typeOf('where(c > 3, a, 0)', 'int64')).toBe('bool');
    expect(typeOf('a * (c & 3)', 'int16')).toBe('float64');
    expect(typeOf('where(a > 0, c * 2, c)', 'int64')).toBe('int64');
    expect(typeOf('where(a > 0, c * 2, c)', 'uint64')).toBe('uint64');
    expect(typeOf('where(a > 0, c * 2, c)', 'float32')).toBe('float32');
  });

  it('are none if all values vary along all axes', () => {
    const program = compiled('a * b + 1');
    expect(stagesOf([program], axes)).toEqual({ stages: [], programs: [program] });
    // Nor if the result itself varies along the same axes as everything else.
    expect(stagesOf([compiled('cos(c)')], [[], [], [1]]).stages).toEqual([]);
  });

  it('load each input at most once in each program', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a * b + c', 'where(c > 0, a, b * c)', 'c ** 2 + a * (c ** 2 + 1) - b', 'min(a, c * 2, max(b, c * 3))'),
        fc.tuple(...inputs.map(() => fc.subarray([0, 1, 2]))),
        (text, some) => {
          const { stages, programs } = stagesOf([compiled(text)], some);
          for (const [k, program] of [...stages.map((stage) => stage.program), ...programs].entries()) {
            const loaded = program.loads.map(({ input }) => input);
            expect(new Set(loaded).size).toBe(loaded.length);
            // Results of stages that have been computed.
            for (const input of loaded) expect(input).toBeLessThan(inputs.length + Math.min(k, stages.length));
          }
        },
      ),
    );
  }); // prettier-ignore
});
