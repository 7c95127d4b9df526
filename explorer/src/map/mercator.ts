/** Web Mercator (EPSG:3857) on a unit square; 0, 0 is the north-west corner. */

/** Latitudes beyond this are outside the square. */
export const MAX_LATITUDE = 85.051129;

export interface WorldPoint {
  readonly x: number;
  readonly y: number;
}

/** Latitudes beyond the square are moved to its edge; longitudes beyond ±180 are outside the square. */
export function project(longitude: number, latitude: number): WorldPoint {
  const bounded = Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, latitude));
  const sine = Math.sin((bounded * Math.PI) / 180);
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

export function unproject({ x, y }: WorldPoint): { readonly longitude: number; readonly latitude: number } {
  return {
    longitude: (x - 0.5) * 360,
    latitude: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
  };
}
