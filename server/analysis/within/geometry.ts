/** Parses and validates polygons in GeoJSON (RFC 7946). */
import * as z from 'zod';
import { InputError } from '../../zarr/index.js';
import { isRecord } from '../../../wire/guards.js';

/** Longitude and latitude in degrees. */
export type Position = readonly [longitude: number, latitude: number];

/** Polygons as lists of closed rings: the outer ring, followed by the rings of its holes. */
export interface Polygons {
  readonly type: 'MultiPolygon';
  readonly coordinates: readonly (readonly (readonly Position[])[])[];
}

const MAX_VERTICES = 2 ** 16;
const MAX_LONGITUDE = 720;

/** Validates stored geometry. */
export const polygonsForm: z.ZodType<Polygons> = z.custom<Polygons>((json) => {
  try {
    parseGeometry(json);
    return true;
  } catch {
    return false;
  }
});

/**
 * Parses a Polygon or MultiPolygon. Ignores altitudes.
 * @throws InputError for other geometries, too many vertices, open rings and numbers that are not degrees
 */
export function parseGeometry(json: unknown): Polygons {
  if (!isRecord(json)) throw invalid('it is not an object');
  const { type, coordinates, crs } = json;
  if (crs !== undefined && crs !== null)
    throw invalid('"crs" is not supported; positions are degrees of longitude and latitude');
  if (!Array.isArray(coordinates)) throw invalid('"coordinates" is not a list');
  const count = { vertices: 0 };
  if (type === 'Polygon')
    return { type: 'MultiPolygon', coordinates: [parsePolygon(coordinates, 'coordinates', count)] };
  if (type !== 'MultiPolygon')
    throw invalid(`"type" is ${shown(type)}; expected "Polygon" or "MultiPolygon"`);
  return {
    type: 'MultiPolygon',
    coordinates: listOf(coordinates, 'coordinates').map((polygon, p) =>
      parsePolygon(polygon, `coordinates[${p}]`, count),
    ),
  };
}

interface Count {
  vertices: number;
}

function parsePolygon(rings: unknown, where: string, count: Count): Position[][] {
  return listOf(rings, where).map((ring, r) => parseRing(ring, `${where}[${r}]`, count));
}

function parseRing(ring: unknown, where: string, count: Count): Position[] {
  const list = listOf(ring, where);
  count.vertices += list.length;
  if (count.vertices > MAX_VERTICES) throw tooMany();
  if (list.length < 4) throw invalid(`${where} has ${list.length} positions; a ring has at least 4`);
  const positions = list.map((position, i) => parsePosition(position, where, i));
  const [first, last] = [positions[0], positions.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1])
    throw invalid(`${where} is not closed: its last position must equal its first`);
  return positions;
}

/** @param i index of the position in the ring */
function parsePosition(position: unknown, where: string, i: number): Position {
  if (!isList(position) || position.length < 2 || position.length > 4)
    throw invalid(
      `${where}[${i}] is ${isList(position) ? `a list of ${position.length}` : shown(position)}; expected [longitude, latitude]`,
    );
  const [longitude, latitude] = position;
  if (typeof longitude !== 'number' || !(Math.abs(longitude) <= MAX_LONGITUDE))
    throw invalid(
      `${where}[${i}] has the longitude ${shown(longitude)}; expected degrees from -${MAX_LONGITUDE} to ${MAX_LONGITUDE}`,
    );
  if (typeof latitude !== 'number' || !(Math.abs(latitude) <= 90))
    throw invalid(`${where}[${i}] has the latitude ${shown(latitude)}; expected degrees from -90 to 90`);
  return [longitude, latitude];
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (!isList(value)) throw invalid(`${where} is not a list`);
  if (value.length > MAX_VERTICES) throw tooMany();
  return value;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function tooMany(): InputError {
  return invalid(`it has more than ${MAX_VERTICES} vertices; simplify it`);
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : `of type ${typeof value}`;
}

function invalid(problem: string): InputError {
  return new InputError(`invalid GeoJSON Polygon or MultiPolygon: ${problem}`);
}
