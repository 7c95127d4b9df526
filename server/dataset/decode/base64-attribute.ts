/**
 * Fill values as xarray writes them into attributes in format 3: base64 of the bytes; floats of any type as
 * float64.
 */
import { parseBase64 } from '../../zarr/index.js';

/** @returns undefined unless it is the base64 of 8 bytes */
export function floatOfBase64(text: string): number | undefined {
  const bytes = parseBase64(text);
  return bytes?.length === 8 ? new DataView(bytes.buffer).getFloat64(0, true) : undefined;
}
