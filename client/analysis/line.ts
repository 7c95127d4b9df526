import { isRecord } from '../json/json.js';
import { parseDataType } from '../ndarray/data-type.js';
import { createFromJson } from '../ndarray/from-json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { parseShape } from '../ndarray/shape.js';
import { type AnalysisResponse, type FieldParams, malformed } from './load.js';
import type { LineOptions, LinePoints } from './types.js';

const VALUES = '{ shape dtype { name kind numpy itemSize unit } values }';

export function lineParams({ width, along, from, to, method }: LineOptions): FieldParams {
  return {
    field: `line(width: $width, along: $along, from: $from, to: $to, method: $method) { x ${VALUES} y ${VALUES} }`,
    args: {
      width: ['Int!', width],
      along: ['String', along ?? null],
      from: ['JSON', labelOf(from)],
      to: ['JSON', labelOf(to)],
      method: ['LineMethod! = M4', method ?? 'M4'],
    },
  };
}

/** ISO text without a time zone, like labels of dates. */
function labelOf(label: LineOptions['from']): unknown {
  return label instanceof Date ? label.toISOString().slice(0, -1) : (label ?? null);
}

export function parseLine({ slice, errors }: AnalysisResponse): LinePoints {
  const [error] = errors;
  if (error !== undefined) throw error;
  const { line } = slice;
  if (!isRecord(line)) throw malformed();
  return { x: valuesOf(line['x']), y: valuesOf(line['y']) };
}

function valuesOf(response: unknown): AnyNDArray {
  if (!isRecord(response)) throw malformed();
  return arrayOf(response['values'], response['dtype'], response['shape']);
}

/** CBOR values are already an NDArray; JSON values are lists. */
export function arrayOf(given: unknown, dtype: unknown, shape: unknown): AnyNDArray {
  if (isNDArray(given)) return given;
  const type = parseDataType(dtype);
  return createFromJson({ type, shape: parseShape(shape), values: given, dimensions: [] });
}

export function isNDArray(value: unknown): value is AnyNDArray {
  return isRecord(value) && 'toNested' in value && 'dtype' in value;
}
