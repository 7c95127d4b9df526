import { expect, test } from 'vitest';
import { widenHalves } from '../../wire/float16.js';

/** Reference values from IEEE 754 binary16. */
test.each([
  [0x0000, 0], [0x8000, -0], [0x0001, 2 ** -24], [0x8001, -(2 ** -24)], [0x03ff, 1023 * 2 ** -24],
  [0x0400, 2 ** -14], [0x3555, 0.333251953125], [0x3c00, 1], [0xc000, -2], [0x7bff, 65504],
  [0x7c00, Infinity], [0xfc00, -Infinity], [0x7e00, NaN],
] as const)('%i is %d', (half, value) => {
  expect(widenHalves(Uint16Array.of(half))[0]).toBe(value);
}); // prettier-ignore

test('a NaN keeps its sign and payload', () => {
  const floats = widenHalves(Uint16Array.of(0xfe01, 0x7d55));
  expect([...new Uint32Array(floats.buffer)]).toEqual([0xffc02000, 0x7faaa000]);
});

test('every half has the value of its bits', () => {
  const halves = Uint16Array.from({ length: 65536 }, (_, i) => i);
  const floats = widenHalves(halves);
  const wrong = [...halves].filter((half, i) => {
    const [sign, exponent, fraction] = [half >> 15 ? -1 : 1, (half >> 10) & 31, half & 1023];
    const finite = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
    const expected = exponent < 31 ? sign * finite : fraction === 0 ? sign * Infinity : NaN;
    return !Object.is(floats[i], expected);
  });
  expect(wrong).toEqual([]);
});
