/**
 * Innermost loops of strided copies: two dimensions, in units of 1, 2, 4 or 8 bytes. Each unit has a
 * separate function, because a loop over several kinds of typed array is up to 5 times slower. All
 * positions, strides and counts are in units. 8-byte units use BigUint64Array, because Float64Array may
 * change the bits of a NaN.
 */

/**
 * Arguments: source position, destination position, outer count, outer strides, inner count, inner strides.
 */
export type RunKernel = (
  sourceAt: number,
  destAt: number,
  outer: number,
  outerFrom: number,
  outerTo: number,
  inner: number,
  from: number,
  to: number,
) => void;

/** A kernel is created for a pair of buffers, so that views are created only once. */
type CopyKernel = (source: Uint8Array, dest: Uint8Array) => RunKernel;

const bytes1: CopyKernel = (x, y) => (s, d, outer, outerFrom, outerTo, inner, from, to) => {
  for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
    for (let j = 0, a = s, b = d; j < inner; j++, a += from, b += to) y[b] = x[a];
  }
};

const bytes2: CopyKernel = (source, dest) => {
  const x = new Uint16Array(source.buffer, source.byteOffset, source.byteLength >> 1);
  const y = new Uint16Array(dest.buffer, dest.byteOffset, dest.byteLength >> 1);
  return (s, d, outer, outerFrom, outerTo, inner, from, to) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      for (let j = 0, a = s, b = d; j < inner; j++, a += from, b += to) y[b] = x[a];
    }
  };
};

const bytes4: CopyKernel = (source, dest) => {
  const x = new Int32Array(source.buffer, source.byteOffset, source.byteLength >> 2);
  const y = new Int32Array(dest.buffer, dest.byteOffset, dest.byteLength >> 2);
  return (s, d, outer, outerFrom, outerTo, inner, from, to) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      for (let j = 0, a = s, b = d; j < inner; j++, a += from, b += to) y[b] = x[a];
    }
  };
};

const bytes8: CopyKernel = (source, dest) => {
  const x = new BigUint64Array(source.buffer, source.byteOffset, source.byteLength >> 3);
  const y = new BigUint64Array(dest.buffer, dest.byteOffset, dest.byteLength >> 3);
  const zero = 0n;
  return (s, d, outer, outerFrom, outerTo, inner, from, to) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      for (let j = 0, a = s, b = d; j < inner; j++, a += from, b += to) y[b] = x[a] ?? zero;
    }
  };
};

/**
 * Copies rows of whole 64-byte groups that are contiguous on both sides: the fastest way to copy short rows
 * in V8 (figures: bench/records.md, "Reads: attempts").
 */
export const rows64: CopyKernel = (source, dest) => {
  const x = new BigUint64Array(source.buffer, source.byteOffset, source.byteLength >> 3);
  const y = new BigUint64Array(dest.buffer, dest.byteOffset, dest.byteLength >> 3);
  const zero = 0n;
  return (s, d, outer, outerFrom, outerTo, inner) => {
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      for (let a = s, b = d, end = s + inner; a < end; a += 8, b += 8) {
        y[b] = x[a] ?? zero;
        y[b + 1] = x[a + 1] ?? zero;
        y[b + 2] = x[a + 2] ?? zero;
        y[b + 3] = x[a + 3] ?? zero;
        y[b + 4] = x[a + 4] ?? zero;
        y[b + 5] = x[a + 5] ?? zero;
        y[b + 6] = x[a + 6] ?? zero;
        y[b + 7] = x[a + 7] ?? zero;
      }
    }
  };
};

/**
 * Copies rows that are contiguous on both sides but differ in alignment. Positions and lengths are in bytes.
 * Writes words of 4 bytes, each composed of the two words that contain its bytes, which is faster than `DataView`
 * (figures: bench/records.md, "Measured constants"). Assumes a little-endian host.
 */
export const unalignedRows: CopyKernel = (source, dest) => {
  const [x, y] = [new Uint8Array(source.buffer), new Uint8Array(dest.buffer)];
  const [xWords, yWords] = [wordsOf(source.buffer), wordsOf(dest.buffer)];
  return (s, d, outer, outerFrom, outerTo, inner) => {
    s += source.byteOffset;
    d += dest.byteOffset;
    for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) {
      const end = s + inner;
      let a = s;
      let b = d;
      for (; (b & 3) !== 0 && a < end; a++, b++) y[b] = x[a];
      let from = wordOf(a);
      let to = wordOf(b);
      const start = to;
      // The last bytes of a buffer may not fill a word.
      const last = to + Math.min(wordOf(end - a), xWords.length - 1 - from);
      const shift = (a & 3) << 3;
      if (shift === 0) for (; to < last; to++, from++) yWords[to] = xWords[from];
      else {
        const rest = 32 - shift;
        for (let low = xWords[from] >>> shift; to < last; to++) {
          const word = xWords[++from];
          yWords[to] = low | (word << rest);
          low = word >>> shift;
        }
      }
      const copied = (to - start) * 4;
      for (a += copied, b += copied; a < end; a++, b++) y[b] = x[a];
    }
  };
};

/** Index of the word that contains a byte. Correct beyond 4 GiB too, unlike a shift. */
function wordOf(position: number): number {
  return (position - (position & 3)) / 4;
}

function wordsOf(buffer: ArrayBufferLike): Int32Array {
  return new Int32Array(buffer, 0, wordOf(buffer.byteLength));
}

/** Copies long rows by `Uint8Array.set`. */
export const longRows: CopyKernel = (x, y) => (s, d, outer, outerFrom, outerTo, inner) => {
  for (let i = 0; i < outer; i++, s += outerFrom, d += outerTo) y.set(x.subarray(s, s + inner), d);
};

/** The kernel for units of a size in bytes. */
export const copyKernels: Readonly<Record<1 | 2 | 4 | 8, CopyKernel>> = {
  1: bytes1,
  2: bytes2,
  4: bytes4,
  8: bytes8,
};
