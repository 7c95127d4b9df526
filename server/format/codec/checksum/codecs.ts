/**
 * Codecs that add a checksum of 4 bytes, little-endian, before or after the bytes: `crc32c` (v3 specification
 * of the CRC32C codec: after) and numcodecs' crc32, crc32c, adler32, fletcher32 and jenkins_lookup3.
 */
import { crc32, crc32c } from '#crc';
import type { JsonObject, JsonValue } from '../../../core/bytes/json.js';
import { ChecksumError } from '../../../core/errors.js';
import type { BytesToBytesCodec } from '../codec.js';
import { badOption, checkOptions, readChoice, readInteger } from '../configuration.js';
import { checkSize, mapSize, tooShort } from '../size.js';
import { adler32, fletcher32, jenkinsLookup3 } from './number-checksums.js';

type Location = 'start' | 'end';

interface ChecksumConfiguration {
  readonly location: Location;
  readonly sum: (bytes: Uint8Array) => number;
}

const LENGTH = 4;

export const crc32cCodec = checksumCodec('crc32c', (configuration) => {
  checkOptions('crc32c', configuration, ['location']);
  return { location: readLocation('crc32c', configuration, 'end'), sum: crc32c };
});

export const crc32Codec = checksumCodec('crc32', (configuration) => {
  checkOptions('crc32', configuration, ['location']);
  return { location: readLocation('crc32', configuration, 'start'), sum: crc32 };
});

export const adler32Codec = checksumCodec('adler32', (configuration) => {
  checkOptions('adler32', configuration, ['location']);
  return { location: readLocation('adler32', configuration, 'start'), sum: adler32 };
});

export const fletcher32Codec = checksumCodec('fletcher32', (configuration) => {
  checkOptions('fletcher32', configuration, []);
  return { location: 'end', sum: fletcher32 };
});

export const jenkinsLookup3Codec = checksumCodec('jenkins_lookup3', (configuration) => {
  checkOptions('jenkins_lookup3', configuration, ['initval', 'prefix']);
  const initial = readInteger('jenkins_lookup3', configuration, 'initval', {
    min: 0,
    max: 2 ** 32 - 1,
    absent: 0,
  });
  const prefix = readPrefix(configuration['prefix']);
  if (prefix.length === 0) return { location: 'end', sum: (bytes) => jenkinsLookup3(bytes, initial) };
  return { location: 'end', sum: (bytes) => jenkinsLookup3(joined(prefix, bytes), initial) };
});

function checksumCodec(
  name: string,
  parse: (configuration: JsonObject) => ChecksumConfiguration,
): BytesToBytesCodec {
  return {
    kind: 'bytes-to-bytes',
    name,
    create(configuration) {
      const { location, sum } = parse(configuration);
      return {
        encodedSize: (decoded) => mapSize(decoded, (bytes) => bytes + LENGTH),

        // Returns a view of `bytes`.
        decode(bytes, size) {
          const length = bytes.length - LENGTH;
          if (length < 0) throw tooShort(name, bytes.length, LENGTH);
          checkSize(name, length, size);
          const at = location === 'start' ? LENGTH : 0;
          const payload = bytes.subarray(at, at + length);
          const stored = readUint32(bytes, location === 'start' ? 0 : length);
          const computed = sum(payload);
          if (stored !== computed)
            throw new ChecksumError(
              `codec "${name}": checksum mismatch: stored ${hex(stored)}, computed ${hex(computed)}`,
            );
          return payload;
        },

        encode(bytes) {
          const result = new Uint8Array(bytes.length + LENGTH);
          result.set(bytes, location === 'start' ? LENGTH : 0);
          writeUint32(result, location === 'start' ? 0 : bytes.length, sum(bytes));
          return result;
        },
      };
    },
  };
}

function readLocation(codec: string, configuration: JsonObject, absent: Location): Location {
  return readChoice(codec, configuration, 'location', ['start', 'end'], absent);
}

/** Reads `prefix`, whose bytes numcodecs hashes first. In JSON, it is text or a list. */
function readPrefix(value: JsonValue | undefined): Uint8Array {
  if (value === undefined || value === null) return new Uint8Array(0);
  if (typeof value === 'string') return new TextEncoder().encode(value);
  if (!Array.isArray(value))
    throw badOption('jenkins_lookup3', 'prefix', value, 'null, text or a list of bytes');
  return Uint8Array.from(value, (byte: JsonValue) => {
    if (typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte <= 255) return byte;
    throw badOption('jenkins_lookup3', 'prefix', value, 'null, text or a list of bytes');
  });
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = new Uint8Array(a.length + b.length);
  result.set(a);
  result.set(b, a.length);
  return result;
}

function readUint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, LENGTH).getUint32(0, true);
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  new DataView(bytes.buffer, bytes.byteOffset + at, LENGTH).setUint32(0, value, true);
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
