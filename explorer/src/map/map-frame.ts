/**
 * The visible part of the world, and the positions of an array on it. Web Mercator (EPSG:3857) on a unit square;
 * 0, 0 is the north-west corner.
 */
import { positionOf } from '../array/find-label.js';
import type { Dimension } from '../array/model.js';
import { sortedNumbers } from '../plane/ticks.js';
import { MAX_ZOOM } from '../state/link.js';
import type { MapPosition } from '../state/view.js';

/** Size of a tile in CSS pixels. */
export const TILE = 256;

export interface MapFrame {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly position: MapPosition;
}

export interface Cell {
  readonly x: number;
  readonly y: number;
}

/** Whether the axes have sorted longitudes and latitudes. */
export function canMap(x: Dimension, y: Dimension): boolean {
  return (
    x.role === 'longitude' &&
    y.role === 'latitude' &&
    sortedNumbers(x) !== undefined &&
    sortedNumbers(y) !== undefined
  );
}

/** Width of the world in CSS pixels. */
export function worldWidth({ position }: MapFrame): number {
  return TILE * 2 ** position.zoom;
}

/** Converts a point of the canvas to a point of the world. */
export function worldAt(frame: MapFrame, left: number, top: number): WorldPoint {
  const centre = project(frame.position.longitude, frame.position.latitude);
  const scale = worldWidth(frame);
  return { x: centre.x + (left - frame.width / 2) / scale, y: centre.y + (top - frame.height / 2) / scale };
}

export function canvasPoint(
  frame: MapFrame,
  { x, y }: WorldPoint,
): { readonly left: number; readonly top: number } {
  const centre = project(frame.position.longitude, frame.position.latitude);
  const scale = worldWidth(frame);
  return { left: (x - centre.x) * scale + frame.width / 2, top: (y - centre.y) * scale + frame.height / 2 };
}

/** The map centred on a world point; the centre stays within the world. */
export function centredAt({ x, y }: WorldPoint, zoom: number): MapPosition {
  const { longitude, latitude } = unproject({ x: x - Math.floor(x), y: Math.min(1, Math.max(0, y)) });
  const round = (value: number) => Number(value.toFixed(4));
  return { zoom: round(zoom), latitude: round(latitude), longitude: round(longitude) };
}

/** Zooms around a point of the canvas. */
export function zoomedAt(frame: MapFrame, by: number, left: number, top: number): MapPosition {
  const zoom = Math.min(MAX_ZOOM - 2, Math.max(0, frame.position.zoom + by));
  const fixed = worldAt(frame, left, top);
  const scale = TILE * 2 ** zoom;
  return centredAt(
    { x: fixed.x - (left - frame.width / 2) / scale, y: fixed.y - (top - frame.height / 2) / scale },
    zoom,
  );
}

/** The position at which the map shows the whole array. */
export function positionOfAll(x: Dimension, y: Dimension, width: number, height: number): MapPosition {
  const [west, east] = endsOf(x);
  const [south, north] = endsOf(y);
  const [topLeft, bottomRight] = [project(west, north), project(east, south)];
  const across = Math.max(1e-6, Math.min(1, bottomRight.x - topLeft.x));
  const down = Math.max(1e-6, bottomRight.y - topLeft.y);
  const zoom = Math.log2(Math.min(width / across, height / down) / TILE);
  const middle = { x: (topLeft.x + bottomRight.x) / 2, y: (topLeft.y + bottomRight.y) / 2 };
  return centredAt(middle, Math.min(MAX_ZOOM - 2, Math.max(0, zoom)));
}

function endsOf(dim: Dimension): readonly [least: number, greatest: number] {
  const numbers = sortedNumbers(dim) ?? new Float64Array(2);
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  return [Math.min(first, last), Math.max(first, last)];
}

/** The nearest cell of the array; undefined outside the array. */
export function cellAt(
  frame: MapFrame,
  x: Dimension,
  y: Dimension,
  left: number,
  top: number,
): Cell | undefined {
  const { longitude, latitude } = unproject(worldAt(frame, left, top));
  const [west] = endsOf(x);
  // Longitudes may start at any meridian. The first cell begins half a cell before its centre.
  const step = stepOf(x);
  const wrapped = longitude + 360 * Math.ceil((west - step / 2 - longitude) / 360);
  const [across, up] = [indexOf(x, wrapped), indexOf(y, latitude)];
  return across === undefined || up === undefined ? undefined : { x: across, y: up };
}

function stepOf(dim: Dimension): number {
  const [least, greatest] = endsOf(dim);
  return (greatest - least) / Math.max(1, dim.size - 1);
}

function indexOf(dim: Dimension, value: number): number | undefined {
  const numbers = sortedNumbers(dim);
  const position = numbers === undefined ? undefined : positionOf(numbers, value);
  if (position === undefined || position < -0.5 || position > dim.size - 0.5) return undefined;
  return Math.min(dim.size - 1, Math.max(0, Math.round(position)));
}

/** The centre of a cell. */
export function pointOf(x: Dimension, y: Dimension, cell: Cell): WorldPoint {
  return project(x.labels?.numbers[cell.x] ?? 0, y.labels?.numbers[cell.y] ?? 0);
}

/** Maximum latitude of the square, in degrees. */
export const MAX_LATITUDE = 85.051129;

export interface WorldPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * Converts degrees to a point of the world. Latitudes beyond the square are clamped; longitudes beyond ±180 are outside
 * the square.
 */
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
