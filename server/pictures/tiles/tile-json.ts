/** The description of tiles (TileJSON 3.0.0). */
import { spacingOf } from './grid-axis.js';
import {
  degreesPerPixel,
  type Grid,
  MAX_LATITUDE,
  MAX_ZOOM,
  TILE_SIZE,
  type TileAddress,
} from './plan-tile.js';

interface TileJsonParts {
  readonly grid: Grid;
  readonly title: string | null;
  /** URL of a tile with placeholders. */
  readonly template: string;
  /** Whether reading a tile is within the limits. */
  readonly isAllowed: (tile: TileAddress) => boolean;
}

/** Number of zoom levels beyond one pixel per value, so that enlarged values have sharp edges. */
const BEYOND = 3;

/** The bounds of the grid in degrees: west, south, east, north. */
function geographicBounds({ latitudes, longitudes }: Grid): readonly [number, number, number, number] {
  const clipped = (latitude: number): number => Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const south = clipped(latitudes.edges[0] ?? -90);
  const north = clipped(latitudes.edges[latitudes.length] ?? 90);
  const [first = 0, last = 0] = [longitudes.edges[0], longitudes.edges[longitudes.length]];
  const west = first - 360 * Math.floor((first + 180) / 360);
  const east = west + (last - first);
  // Across the antimeridian, the bounds are the whole world: not every client accepts an east bound beyond
  // 180.
  return east > 180 ? [-180, south, 180, north] : [west, south, east, north];
}

export function tileJson({
  grid,
  title,
  template,
  isAllowed,
}: TileJsonParts): Readonly<Record<string, unknown>> {
  const bounds = geographicBounds(grid);
  const [west, south, east, north] = bounds;
  const cell = Math.min(spacingOf(grid.longitudes), spacingOf(grid.latitudes));
  let maxzoom = 0;
  while (maxzoom < MAX_ZOOM && degreesPerPixel(maxzoom, TILE_SIZE) > cell) maxzoom++;
  maxzoom = Math.min(MAX_ZOOM, maxzoom + BEYOND);
  const centre = [(west + east) / 2, (south + north) / 2] as const;
  let minzoom = 0;
  while (minzoom < maxzoom && !isAllowed(tileAt(centre, minzoom))) minzoom++;
  return {
    tilejson: '3.0.0',
    ...(title === null ? {} : { name: title }),
    scheme: 'xyz',
    tiles: [template],
    minzoom,
    maxzoom,
    bounds,
    center: [...centre, minzoom],
  };
}

function tileAt([longitude, latitude]: readonly [number, number], z: number): TileAddress {
  const count = 2 ** z;
  const radians = (latitude * Math.PI) / 180;
  const down = (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2;
  const within = (share: number): number => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
  return { z, x: within((longitude + 180) / 360), y: within(down) };
}
