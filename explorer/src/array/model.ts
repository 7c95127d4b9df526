/** Describes an array by its metadata and the labels of its dimensions, before its values are read. */
import type { ArrayInfo, VariableInfo } from 'zarrql-client';
import type { Labels } from './labels.js';
import type { DimKey } from '../state/view.js';

/** A one-dimensional variable with the name of its dimension. */
export interface Coordinate {
  readonly store: string;
  readonly group: string;
  readonly name: string;
  readonly isNumber: boolean;
  readonly isDate: boolean;
}

export interface Dimension {
  readonly key: DimKey;
  readonly name: string | null;
  readonly size: number;
  readonly chunkSize: number;
  readonly chunkCount: number;
  readonly units: string | undefined;
  readonly role: 'longitude' | 'latitude' | 'time' | undefined;
  /** Whether the coordinate increases downwards, as depth and pressure do. */
  readonly isDownwards: boolean;
  /** Undefined without a coordinate, or if the coordinate is too long to load or cannot be read. */
  readonly labels: Labels | undefined;
  /** Labels of every `step`-th position, for the marks of an axis. Undefined if all labels are loaded, or none. */
  readonly sample: { readonly step: number; readonly labels: Labels } | undefined;
  /** The variable in which the gateway looks up labels. */
  readonly coordinate: Coordinate | undefined;
}

/** A resolution of the same image. */
export interface Level {
  readonly path: string;
  readonly shape: readonly number[];
}

export interface ArrayModel {
  readonly store: string;
  readonly path: string;
  readonly info: ArrayInfo;
  /** Undefined if the array is not a variable of a dataset. Its values are then shown undecoded. */
  readonly variable: VariableInfo | undefined;
  readonly dimensions: readonly Dimension[];
  /** Variables of the same dataset, for a second picture. */
  readonly siblings: readonly VariableInfo[];
  /**
   * The levels of the image, finest first, including the array itself. Empty if the array does not belong to an image.
   */
  readonly levels: readonly Level[];
  /** Whether the values may change while they are shown. */
  readonly canChange: boolean;
}

export function titleOf({ variable, info }: ArrayModel): string {
  return variable?.longName ?? variable?.standardName ?? (info.name === '' ? info.store : info.name);
}

export function unitsOf({ variable, info }: ArrayModel): string {
  const units = variable === undefined ? info.attributes['units'] : variable.units;
  if (variable !== undefined && /datetime|timedelta/.test(variable.dtype.name)) return '';
  return typeof units === 'string' ? units : '';
}

/** The keys of the dimensions: their names if all are present and unique, otherwise their positions. */
export function keysOf(names: readonly (string | null)[]): readonly DimKey[] {
  const areNames =
    names.every((name) => name !== null && name !== '') && new Set(names).size === names.length;
  return names.map((name, position) => (areNames && name !== null ? name : String(position)));
}

/** The quantity of a coordinate by the CF conventions (sections 4.1, 4.2 and 4.4), or by usual names such as `lon`. */
export function roleOf(name: string | null, variable: VariableInfo | undefined): Dimension['role'] {
  const { units, standardName, dtype } = variable ?? {};
  const unit = (units ?? '').toLowerCase();
  if (standardName === 'longitude' || /^degrees?_?(e|east)$/.test(unit)) return 'longitude';
  if (standardName === 'latitude' || /^degrees?_?(n|north)$/.test(unit)) return 'latitude';
  if (dtype?.name === 'numpy.datetime64' || standardName === 'time' || variable?.attributes['axis'] === 'T')
    return 'time';
  if (variable === undefined) return undefined;
  if (/^(lon|longitude)$/i.test(name ?? '') && unit.startsWith('degree')) return 'longitude';
  if (/^(lat|latitude)$/i.test(name ?? '') && unit.startsWith('degree')) return 'latitude';
  return undefined;
}

export function isDownwards(variable: VariableInfo | undefined): boolean {
  return variable?.attributes['positive'] === 'down';
}

export function dimensionOf({ dimensions }: ArrayModel, key: DimKey | undefined): Dimension | undefined {
  return dimensions.find((dim) => dim.key === key);
}
