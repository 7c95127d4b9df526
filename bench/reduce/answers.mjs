/** Sends requests to zarrql, and compares the results with those of NumPy in float64. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param operation of a suite: `field` of `variable`, or of the values of `expression`, in `store`
 * @param isWarmUp whether to compute only a small part
 */
export function documentOf({ store, variable, expression, warmUp, field }, isWarmUp = false) {
  const part = isWarmUp ? `slice(select: { text: "${warmUp}" })` : 'slice';
  const fields =
    expression === undefined
      ? `variable(name: "${variable}") { ${part} { ${field} } }`
      : `computed: compute(expression: "${expression}") { ${isWarmUp ? `${part} { ${field} }` : field} }`;
  return `{ store(name: "${store}") { dataset { ${fields} } } }`;
}

export function littleEndian(type, { base64 }) {
  const bytes = Buffer.from(base64.data, 'base64');
  return new type(new Uint8Array(bytes).buffer);
}

/** Relative, because peers add float32 values in float32. */
const TOLERANCE = 2e-4;

/** @returns a description of the difference; undefined if there is none. */
export function faultOf({ expected: folder }, name, answer) {
  const file = readFileSync(join(folder, `${name}.f8`));
  const expected = new Float64Array(new Uint8Array(file).buffer);
  if (answer.length !== expected.length)
    return `WRONG: got ${answer.length} numbers, expected ${expected.length}`;
  const i = expected.findIndex(
    (value, n) => !(Math.abs(answer[n] - value) <= TOLERANCE * Math.max(1, Math.abs(value))),
  );
  return i < 0 ? undefined : `WRONG: number ${i} is ${answer[i]}, expected ${expected[i]}`;
}
