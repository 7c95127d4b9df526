/** Recognises files of other formats by their first bytes, so that messages can name the format. */

interface ForeignFormat {
  readonly name: string;
  /** What to do, as the end of a sentence. */
  readonly advice: string;
  /** The possible first bytes, one character per byte, or a pattern of them. */
  readonly starts: readonly string[] | RegExp;
}

const formats: readonly ForeignFormat[] = [
  {
    name: 'HDF5 or NetCDF-4',
    advice: 'convert it to Zarr, for example with xarray: open_dataset(...).to_zarr(...)',
    starts: ['\u0089HDF\r\n\u001a\n'],
  },
  {
    name: 'NetCDF-3',
    advice: 'convert it to Zarr, for example with xarray: open_dataset(...).to_zarr(...)',
    starts: ['CDF\u0001', 'CDF\u0002', 'CDF\u0005'],
  },
  { name: 'TIFF', advice: 'convert it to OME-Zarr or Zarr', starts: ['II*\0', 'II+\0', 'MM\0*', 'MM\0+'] },
  { name: 'GRIB', advice: 'convert it to Zarr, for example with xarray and cfgrib', starts: ['GRIB'] },
  {
    name: 'kerchunk (references to other files)',
    advice: 'write its values to Zarr, for example with xarray: open_dataset(...).to_zarr(...)',
    starts: /^\s*\{\s*"(?:version"\s*:\s*[01]\s*,\s*"refs"|refs"|templates"|\.z(?:group|attrs|array)")/,
  },
  { name: 'zip', advice: 'rename it to end in .zip', starts: ['PK\u0003', 'PK\u0005'] },
];

/** Number of bytes that `describeForeign` needs. */
export const FOREIGN_BYTES = 256;

/** @returns the format and what to do, for messages; undefined for an unknown format */
export function describeForeign(firstBytes: Uint8Array): string | undefined {
  const text = String.fromCharCode(...firstBytes.subarray(0, FOREIGN_BYTES));
  const found = formats.find(({ starts }) =>
    starts instanceof RegExp ? starts.test(text) : starts.some((start) => text.startsWith(start)),
  );
  return found === undefined ? undefined : `a file of the format ${found.name}; ${found.advice}`;
}
