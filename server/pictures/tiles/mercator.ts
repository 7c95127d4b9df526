/** Tiles of Web Mercator (EPSG:3857) in the XYZ scheme: row 0 is in the north. Pure. */

export interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export const MAX_ZOOM = 24;

/** Pixels along each side. */
export const TILE_SIZE = 256;

/** Latitude of the upper edge of the topmost tiles. */
export const MAX_LATITUDE = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

/** Whether the tile exists. */
export function isTile({ z, x, y }: TileAddress): boolean {
  return z <= MAX_ZOOM && x < 2 ** z && y < 2 ** z;
}

/** Longitudes of the centres of the pixel columns, from west to east: -180 to 180 degrees. */
export function longitudesOf({ z, x }: TileAddress, pixels: number): Float64Array {
  return Float64Array.from({ length: pixels }, (_, i) => ((x + (i + 0.5) / pixels) / 2 ** z) * 360 - 180);
}

/** Latitudes of the centres of the pixel rows, from north to south. */
export function latitudesOf({ z, y }: TileAddress, pixels: number): Float64Array {
  return Float64Array.from({ length: pixels }, (_, j) => latitudeAt((y + (j + 0.5) / pixels) / 2 ** z));
}

/** @param share fraction of the way from the northern to the southern edge of the world */
export function latitudeAt(share: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) * 180) / Math.PI;
}

/** Degrees of longitude per pixel, and of latitude at the equator. */
export function degreesPerPixel(z: number, pixels: number): number {
  return 360 / (pixels * 2 ** z);
}
