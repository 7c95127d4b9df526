import { isList, isRecord } from '../json.js';
import { parseDataType } from '../ndarray/data-type.js';
import { createFromJson } from '../ndarray/from-json.js';
import { createFromNative } from '../ndarray/from-native.js';
import { listShape } from '../ndarray/shape.js';
import type { AnyNDArray, Coordinate, Coordinates } from '../ndarray/ndarray.js';

/**
 * A slice's coordinates; undefined where they were not asked for. One without values, which are an error of their own,
 * is left out.
 * @throws TransportError BAD_RESPONSE
 */
export function parseCoordinates(list: unknown, native: boolean): Coordinates | undefined {
  if (!isList(list)) return undefined;
  const coordinates: Record<string, Coordinate> = {};
  for (const each of list) {
    if (!isRecord(each) || typeof each['name'] !== 'string' || each['values'] === null) continue;
    const dimensions = isList(each['dimensions']) ? each['dimensions'].map(textOf) : [];
    coordinates[each['name']] = {
      name: each['name'],
      dimensions,
      units: textOf(each['units']),
      calendar: textOf(each['calendar']),
      values: parseValues(each, dimensions, native),
    };
  }
  return coordinates;
}

function parseValues(
  coordinate: Readonly<Record<string, unknown>>,
  dimensions: readonly (string | null)[],
  native: boolean,
): AnyNDArray {
  const block = {
    type: parseDataType(coordinate['dtype']),
    values: coordinate['values'],
    dimensions,
  };
  return native ? createFromNative(block) : createFromJson({ ...block, shape: listShape(block.values) });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
