/** IEEE 754 half precision to single: every value is exact, and a NaN keeps its payload. */
export function widenFloat16(halves: Uint16Array): Float32Array<ArrayBuffer> {
  const floats = new Float32Array(halves.length);
  const bits = new Uint32Array(floats.buffer);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i] ?? 0;
    const sign = (half & 0x8000) << 16;
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    if (exponent === 0) {
      floats[i] = fraction * 2 ** -24;
      bits[i] = (bits[i] ?? 0) | sign;
    } else {
      const wide = exponent === 31 ? 255 : exponent + 112;
      bits[i] = sign | (wide << 23) | (fraction << 13);
    }
  }
  return floats;
}
