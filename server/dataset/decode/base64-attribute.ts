/** Fill values as xarray writes them into attributes of the format 3: base64 of the bytes, of any float as a float64. */

/** @returns undefined where it is no base64 */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** @returns undefined where it is no base64 of 8 bytes */
export function floatOfBase64(text: string): number | undefined {
  const bytes = bytesOfBase64(text);
  return bytes?.length === 8 ? new DataView(bytes.buffer).getFloat64(0, true) : undefined;
}
