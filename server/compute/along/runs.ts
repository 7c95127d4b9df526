/** Lengths of runs: consecutive positions whose values are true. */
import { type DataType, numberType } from '../../core/dtype/data-type.js';
import { type AlongKernel, type AlongRows, type AlongRun, assertAlong, VALUES_PER_STEP } from './along.js';

export const runForms = ['SO_FAR', 'WHOLE', 'START'] as const;
/** Where the length of a run is: counted up at each of its positions, at all of them, or at the first, with 0 elsewhere. */
export type RunForm = (typeof runForms)[number];

/** Values are true unless they are 0 or missing. */
export function runsKernel(form: RunForm, source: DataType): AlongKernel {
  assertAlong(source, 'runs');
  const reach = form === 'SO_FAR' ? 'before' : 'whole';
  const start = form === 'SO_FAR' ? countsSoFar : (columns: number) => wholeRuns(columns, form);
  return { dtype: numberType('int64'), reach, work: 10, start };
}

function isTrue(value: number | bigint): boolean {
  return typeof value === 'bigint' ? value !== 0n : value !== 0 && value === value;
}

/** Lengths as words of 64-bit integers; the upper words stay 0. */
function wordsOf(values: AlongRows['values']): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.byteLength / 4);
}

function countsSoFar(columns: number): AlongRun {
  const lengths = new Float64Array(columns);
  return function* ({ values, first, stop }, { values: out, from }) {
    const words = wordsOf(out);
    let done = 0;
    for (let row = first; row < stop; row++) {
      for (let c = 0; c < columns; c++) {
        lengths[c] = isTrue(values[(row - first) * columns + c]) ? lengths[c] + 1 : 0;
        words[2 * ((row - from) * columns + c)] = lengths[c];
      }
      done += columns;
      if (done < VALUES_PER_STEP) continue;
      done = 0;
      yield;
    }
  };
}

function wholeRuns(columns: number, form: 'WHOLE' | 'START'): AlongRun {
  return function* ({ values, stop }, { values: out, from, to }) {
    const words = wordsOf(out);
    let done = 0;
    for (let c = 0; c < columns; c++) {
      for (let row = 0; row < stop;) {
        let end = row;
        while (end < stop && isTrue(values[end * columns + c])) end++;
        const last = form === 'START' ? Math.min(row + 1, end) : end;
        for (let at = Math.max(row, from); at < Math.min(last, to); at++)
          words[2 * ((at - from) * columns + c)] = end - row;
        row = end + 1;
      }
      done += stop;
      if (done < VALUES_PER_STEP) continue;
      done = 0;
      yield;
    }
  };
}
