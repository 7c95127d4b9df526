import { isList, isRecord, namedRecord } from '../json/json.js';
import { parseDataType } from '../ndarray/data-type.js';
import { createFromJson } from '../ndarray/from-json.js';
import { createFromNative } from '../ndarray/from-native.js';
import { objectsOf } from '../ndarray/layout.js';
import { listShape, parseValueShape } from '../ndarray/shape.js';
import type { AnyNDArray, Coordinate, Coordinates } from '../ndarray/ndarray.js';

/**
 * Parses the coordinates of a slice; undefined if they were not requested. Coordinates whose values failed are omitted.
 * @throws TransportError BAD_RESPONSE
 */
export function parseCoordinates(list: unknown, native: boolean): Coordinates | undefined {
  if (!isList(list)) return undefined;
  const coordinates = list.flatMap((each): (readonly [string, Coordinate])[] => {
    if (!isRecord(each) || typeof each['name'] !== 'string' || each['values'] === null) return [];
    const { name } = each;
    const dimensions = isList(each['dimensions']) ? each['dimensions'].map(textOf) : [];
    const [units, calendar] = [textOf(each['units']), textOf(each['calendar'])];
    return [[name, { name, dimensions, units, calendar, values: parseValues(each, dimensions, native) }]];
  });
  return namedRecord(coordinates);
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
  if (native) return createFromNative(block);
  const shape = parseValueShape(listShape(block.values), objectsOf(block.type.layout));
  return createFromJson({ ...block, shape });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
