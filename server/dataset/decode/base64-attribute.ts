/** Fill values as xarray writes them into attributes of the format 3: base64 of the bytes, of any float as a float64. */
import { parseBase64 } from '../../zarr/index.js';

/** @returns undefined where it is no base64 of 8 bytes */
export function floatOfBase64(text: string): number | undefined {
  const bytes = parseBase64(text);
  return bytes?.length === 8 ? new DataView(bytes.buffer).getFloat64(0, true) : undefined;
}
