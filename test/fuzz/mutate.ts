/** Corrupts bytes like disks, programs and attackers. */
import type { Random } from '../interop/random.js';

export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let damaged: Uint8Array = bytes.slice();
  for (let left = random.choose([1, 1, 1, 2, 4]); left > 0; left--) damaged = once(damaged, random);
  return damaged;
}

/** Invalid lengths, counts and offsets. */
const odd = [0, 1, 0x7f, 0x80, 0xff];

function once(bytes: Uint8Array, random: Random): Uint8Array {
  const length = bytes.length;
  if (length === 0) return random.bytes(random.int(0, 40));
  const at = random.int(0, length - 1);
  switch (random.int(0, 8)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
      return bytes;
    case 1:
      bytes[at] = random.choose(odd);
      return bytes;
    case 2:
      bytes[at] = random.int(0, 255);
      return bytes;
    case 3:
      return bytes.slice(0, at);
    case 4:
      return bytes.slice(at);
    case 5:
      // An aligned integer of 4 or 8 bytes, such as a count or an offset.
      bytes.fill(random.choose(odd), at, at + random.choose([4, 8]));
      return bytes;
    case 6: {
      const end = Math.min(length, at + random.int(1, 16));
      bytes.copyWithin(random.int(0, length - 1), at, end);
      return bytes;
    }
    case 7:
      return Uint8Array.from([
        ...bytes.subarray(0, at),
        ...random.bytes(random.int(1, 12)),
        ...bytes.subarray(at),
      ]);
    default:
      // Prefers the start, which is most relevant to a decoder.
      return Uint8Array.from([...bytes.subarray(0, Math.min(at, 24)), ...random.bytes(random.int(0, 200))]);
  }
}
