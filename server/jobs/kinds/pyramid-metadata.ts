/** The attributes of the group of a pyramid. */
import type { CoarsenMethod, JsonObject, JsonValue, SliceDim } from '../../zarr/index.js';

export interface PyramidForm {
  readonly name: string;
  readonly dims: readonly SliceDim[];
  /** Shapes of the main array, the finest first. */
  readonly shapes: readonly (readonly number[])[];
  readonly shrinks: readonly boolean[];
  readonly method: CoarsenMethod;
}

/** The size of a pixel along a dimension relative to the level before. A dimension of one element no longer shrinks. */
function factorOf({ shapes, shrinks }: PyramidForm, level: number, d: number): number {
  return shrinks[d] === true && (shapes[level - 1]?.[d] ?? 1) > 1 ? 2 : 1;
}

/** The zarr-conventions extension `multiscales`, which GeoZarr uses. Positions are those of the centres of pixels. */
export function geozarrAttributes(form: PyramidForm): JsonObject {
  const { dims, shapes, method } = form;
  const layout = shapes.map((_, k): JsonValue => {
    if (k === 0) return { asset: '0' };
    const scale = dims.map((_dim, d) => factorOf(form, k, d));
    return {
      asset: String(k),
      derived_from: String(k - 1),
      transform: { scale, translation: scale.map((factor) => (factor - 1) / 2) },
      resampling_method: resampling[method],
    };
  });
  const names = dims.flatMap(({ name }) => (name === null ? [] : [name]));
  return {
    zarr_conventions: [
      {
        schema_url: 'https://raw.githubusercontent.com/zarr-conventions/multiscales/refs/tags/v1/schema.json',
        spec_url: 'https://github.com/zarr-conventions/multiscales/blob/v1/README.md',
        uuid: 'd35379db-88df-4056-af3a-620245f8e347',
        name: 'multiscales',
        description: 'Multiscale layout of zarr datasets',
      },
    ],
    multiscales: { layout, resampling_method: resampling[method] },
    ...(names.length === dims.length ? { 'spatial:dimensions': names } : {}),
  };
}

const resampling: Readonly<Record<CoarsenMethod, string>> = {
  MEAN: 'average',
  MIN: 'min',
  MAX: 'max',
  MODE: 'mode',
  NEAREST: 'nearest',
  MEDIAN: 'med',
  SUM: 'sum',
};

/** The names that OME-Zarr expects, for dimensions without a name. */
const usualAxes = ['t', 'c', 'z', 'y', 'x'];

export function omeNames(dims: readonly SliceDim[]): string[] {
  const given = dims.map(({ name }) => name);
  return given.map((name, d) => name ?? usualAxes[usualAxes.length - dims.length + d] ?? `dim_${d}`);
}

const axisTypes: Readonly<Record<string, string>> = {
  t: 'time',
  time: 'time',
  c: 'channel',
  channel: 'channel',
};

export function omeAttributes(form: PyramidForm): JsonObject {
  const { name, dims, shapes, shrinks, method } = form;
  const axes = omeNames(dims).map((axis, d): JsonValue => {
    const type =
      axisTypes[axis.toLowerCase()] ?? (shrinks[d] === true || /^[xyz]$/i.test(axis) ? 'space' : undefined);
    return { name: axis, ...(type === undefined ? {} : { type }) };
  });
  let scale = dims.map(() => 1);
  const datasets = shapes.map((_, k): JsonValue => {
    if (k > 0) scale = scale.map((size, d) => size * factorOf(form, k, d));
    const translation = scale.map((size) => (size - 1) / 2);
    return {
      path: String(k),
      coordinateTransformations: [
        { type: 'scale', scale: [...scale] },
        ...(translation.some((shift) => shift !== 0) ? [{ type: 'translation', translation }] : []),
      ],
    };
  });
  return { ome: { version: '0.5', multiscales: [{ name, axes, datasets, type: method.toLowerCase() }] } };
}
