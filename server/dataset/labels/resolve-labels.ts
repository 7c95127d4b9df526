/**
 * Resolves selections by label to selections by position. The caller provides the coordinate of each
 * dimension.
 */
import {
  type NamedTextDim,
  labelAsPosition,
  type TextLabel,
  type TextLabels,
  wordText,
} from '../../../wire/selection-text.js';
import { type DimSelection, nearest, type Selection, SelectionError } from '../../zarr/index.js';
import type { ChargeLookUps, LabelIndex } from './label-index.js';
import type { ConditionDim, DimSelectionOrLabel, LabelDim, SelectionOrLabels } from './label-selection.js';

/** The coordinate of dimension `d` of the source. */
export interface LabelSource {
  /** @throws SelectionError without a coordinate */
  readonly index: (d: number) => Promise<LabelIndex>;
  /** Whether the dimension has a coordinate, and whether its labels are longitudes. */
  readonly kind: (d: number) => Promise<'longitudes' | 'other' | undefined>;
  /** The positions at which a condition is true. @throws InputError, SelectionError for an invalid condition */
  readonly where: (d: number, condition: string) => Promise<DimSelection>;
}

export function isLabelDim(by: { readonly kind: string }): by is LabelDim {
  return by.kind === 'at' || by.kind === 'values' || by.kind === 'between';
}

function isByValue(by: { readonly kind: string }): by is LabelDim | ConditionDim {
  return by.kind === 'where' || isLabelDim(by);
}

/** Whether no dimension is selected by label or condition. */
function isPositional(selection: SelectionOrLabels): selection is Selection {
  return selection.kind === 'dims'
    ? !selection.dims.some(isByValue)
    : (selection.kind !== 'named' && selection.kind !== 'written') ||
        (selection.kind === 'named' && !selection.named.some(({ by }) => isByValue(by)));
}

/**
 * @param dims the dimensions of the source, in order
 * @throws SelectionError if a label is not found, or the dimension has no coordinate; errors from reading
 *   coordinates
 */
export async function resolveLabels(
  selection: SelectionOrLabels,
  dims: readonly { readonly name: string | null }[],
  source: LabelSource,
  charge: ChargeLookUps,
): Promise<Selection> {
  if (isPositional(selection)) return selection;
  if (selection.kind === 'written')
    return {
      kind: 'named',
      named: await Promise.all(
        selection.named.map(async (part) => ({ dim: part.dim, by: await writtenPositions(part) })),
      ),
    };
  if (selection.kind === 'dims')
    return { kind: 'dims', dims: await Promise.all(selection.dims.map((by, d) => positions(by, d))) };
  return {
    kind: 'named',
    named: await Promise.all(
      selection.named.map(async ({ dim, by }) => ({ dim, by: await positionsByName(dim, by) })),
    ),
  };

  async function positions(by: DimSelectionOrLabel, d: number): Promise<DimSelection> {
    if (!isByValue(by)) return by;
    if (d >= dims.length)
      throw new SelectionError(
        `the selection has a label for the dimension at position ${d}; the array has ${dims.length} dimensions`,
      );
    if (by.kind === 'where') return source.where(d, by.condition);
    return (await source.index(d)).select(by, charge);
  }

  async function writtenPositions({ dim, by, column }: NamedTextDim): Promise<DimSelection> {
    if (by.kind === 'index' || by.kind === 'slice' || by.kind === 'indices') return by;
    const d = dims.findIndex(({ name }) => name === dim);
    if (d < 0) throw new SelectionError(`column ${column}: ${unknownDimension(dim, dims)}`);
    try {
      const kind = await source.kind(d);
      const position = by.kind === 'label' ? labelAsPosition(by.label) : undefined;
      if (kind === undefined && position !== undefined) return { kind: 'index', index: position };
      const index = await source.index(d);
      return await index.select(labelDim(by, index, kind === 'longitudes'), charge);
    } catch (error) {
      throw error instanceof SelectionError ? inWrittenWords(error, dim, by, column) : error;
    }
  }

  async function positionsByName(dim: string, by: DimSelectionOrLabel): Promise<DimSelection> {
    if (!isByValue(by)) return by;
    const d = dims.findIndex(({ name }) => name === dim);
    if (d < 0) throw new SelectionError(unknownDimension(dim, dims));
    return positions(by, d);
  }
}

/** Says where the text is wrong, and what to write instead. */
function inWrittenWords(error: SelectionError, dim: string, by: TextLabels, column: number): SelectionError {
  const name = wordText(dim);
  const label = by.kind === 'label' || by.kind === 'near' ? wordText(by.label.text) : undefined;
  // The nearest label is another one.
  const equal = by.kind === 'label' ? label : undefined;
  // As functions, because "$&" in a label would be a pattern.
  const detail = error.detail
    .replace('set method NEAREST to select the nearest', () => `write "${name}=~${label ?? '...'}" for the nearest`)
    .replace('select all of them with "between", or one by "index"', () =>
      `select all of them with "${name}=${equal ?? 'a'}..${equal ?? 'b'}", or one by position with "${name}=#3"`)
    .replace('select by position with index, slice or indices', () => `select by position with "${name}=#3" or "${name}=[0:4]"`); // prettier-ignore
  const at = by.kind === 'label' || by.kind === 'near' ? by.label.column : column;
  const position = by.kind === 'label' ? labelAsPosition(by.label) : undefined;
  const note = position === undefined ? '' : `; a position is "${name}=#${position}"`;
  return new SelectionError(`column ${at}: ${detail}${note}`, { cause: error, where: error.where });
}

/** Degrees of a circle, on which longitudes in text are compared. */
const CIRCLE = 360;

/** @throws SelectionError for text that cannot be a label of the coordinate */
function labelDim(by: TextLabels, index: LabelIndex, areLongitudes: boolean): LabelDim {
  const read = ({ text }: TextLabel): unknown => index.keys.fromText(text);
  const wrap = areLongitudes && spansCircle(index) ? CIRCLE : undefined;
  if (by.kind === 'labels')
    return { kind: 'values', values: by.labels.map((label) => onCircle(read(label), index, wrap)) };
  if (by.kind === 'between') {
    const [from, to] = [by.from && read(by.from), by.to && read(by.to)];
    const isBounded = from !== undefined && to !== undefined;
    return { kind: 'between', from, to, step: 1, wrap: isBounded ? wrap : undefined };
  }
  const method = by.kind === 'near' ? 'NEAREST' : 'EXACT';
  return { kind: 'at', value: read(by.label), method, tolerance: undefined, wrap };
}

/** A longitude of a list in the range of the labels, if it is there after a turn. */
function onCircle(label: unknown, { keys }: LabelIndex, wrap: number | undefined): unknown {
  if (typeof label !== 'number' || wrap === undefined) return label;
  const [a, b] = [Number(keys.at(0)), Number(keys.at(keys.size - 1))];
  const isWithin = (turned: number): boolean => turned >= Math.min(a, b) && turned <= Math.max(a, b);
  return [label, label - wrap, label + wrap].find(isWithin) ?? label;
}

/** Whether labels lie within one turn, as `wrap` requires. */
function spansCircle({ keys, order }: LabelIndex): boolean {
  if (order === 'unsorted' || keys.size === 0) return false;
  const [a, b] = [Number(keys.at(0)), Number(keys.at(keys.size - 1))];
  return Math.abs(a - b) <= CIRCLE;
}

export function unknownDimension(name: string, dims: readonly { readonly name: string | null }[]): string {
  const names = dims.flatMap((dim) => (dim.name === null ? [] : [dim.name]));
  if (names.length === 0) return `unknown dimension "${name}": the dimensions have no names`;
  const near = nearest(name, names).map((one) => `"${one}"`);
  return `unknown dimension "${name}"; the nearest names are ${near.join(', ')}`;
}

/**
 * Creates the error for a selection by label along a dimension without an index.
 * @param others dimensions with an index
 */
export function noCoordinate(name: string | null, others: readonly string[]): SelectionError {
  const can =
    others.length === 0
      ? ''
      : `; the dimensions with a coordinate are ${others.map((one) => `"${one}"`).join(', ')}`;
  return new SelectionError(
    `${withoutCoordinate(name)} to look up labels in${can}; select by position with index, slice or indices`,
  );
}

/** Creates the error for an operation on the labels along a dimension without labels. */
export function noLabels(name: string | null): SelectionError {
  return new SelectionError(`${withoutCoordinate(name)}, which this operation requires`);
}

function withoutCoordinate(name: string | null): string {
  const dimension = name === null ? 'an unnamed dimension' : `dimension "${name}"`;
  return `${dimension} has no coordinate (a one-dimensional array of the same name)`;
}
