/** Decodes text by the names that netCDF and Python use for encodings. */
import { UnsupportedError } from '../../zarr/index.js';
import { badValue } from '../attributes.js';

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
export function utf8Text(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/**
 * Encodings of one byte per character, with the largest valid byte. `TextDecoder` decodes these names as
 * windows-1252, which differs from 0x80 to 0x9f, or does not know them.
 */
const singleByte: Readonly<Record<string, number>> = {
  'latin-1': 255, latin1: 255, 'iso-8859-1': 255, 'iso8859-1': 255, iso8859_1: 255, l1: 255,
  ascii: 127, 'us-ascii': 127,
}; // prettier-ignore

/** Engines restrict the number of arguments of a call. */
const MAX_ARGUMENTS = 2 ** 12;

/**
 * @param variable name of the variable, for messages
 * @throws UnsupportedError for an encoding that this runtime does not support; the returned decoder throws it
 * for invalid bytes
 */
export function createTextDecoder(variable: string, name: string): (bytes: Uint8Array) => string {
  const label = name.trim().toLowerCase();
  const last = Object.hasOwn(singleByte, label) ? singleByte[label] : undefined;
  const decoder = last === undefined ? strictDecoder(variable, label) : undefined;
  return (bytes) => {
    try {
      if (decoder !== undefined) return decoder.decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) throw badValue(variable, `its bytes are not valid ${name}`);
      throw error;
    }
    if (bytes.some((byte) => byte > (last ?? 255)))
      throw badValue(variable, `its bytes are not valid ${name}`);
    let text = '';
    for (let start = 0; start < bytes.length; start += MAX_ARGUMENTS)
      text += String.fromCharCode(...bytes.subarray(start, start + MAX_ARGUMENTS));
    return text;
  };
}

function strictDecoder(variable: string, label: string): TextDecoder {
  try {
    return new TextDecoder(label.replace(/^utf_?(8|16)/, 'utf-$1'), { fatal: true, ignoreBOM: true });
  } catch {
    throw new UnsupportedError(
      `variable "${variable}" cannot be decoded: unknown encoding "${label}" in the attribute _Encoding; decode: false returns the bytes`,
    );
  }
}
