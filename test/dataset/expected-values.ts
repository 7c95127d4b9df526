/** The expected values of `test/fixtures/datasets`, and blocks in the same form (see its README). */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fixtures } from '../setup/fixtures.js';
import { dataOf, formatDatetimes, toTypedArray, type Block } from '../../server/zarr/index.js';

/** The project's datasets, or others written by `make_datasets.py FOLDER SEED COUNT`. */
export const datasetsFolder = process.env['ZARRQL_DATASETS'] ?? `${fixtures}datasets`;

export type ExpectedValues =
  | { readonly dtype: string; readonly base64: string }
  | { readonly dates: readonly (string | null)[] }
  | { readonly text: readonly (string | null)[] }
  | { readonly items: readonly (boolean | null)[] };

export interface ExpectedVariable {
  readonly dims: readonly string[];
  readonly role: 'data' | 'coordinate';
  readonly index: boolean;
  /** NumPy typestr; "object" for non-numeric values. */
  readonly dtype: string;
  readonly calendar?: string;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly values: ExpectedValues;
}

export interface ExpectedGroup {
  readonly dims: Readonly<Record<string, number>>;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, ExpectedVariable>>;
  /** Variables of the parent groups of a tree. */
  readonly inherited?: readonly string[];
  readonly errors?: Readonly<Record<string, { readonly code: string; readonly mentions: readonly string[] }>>;
}

export interface ExpectedSelection {
  readonly group: string;
  readonly variable: string;
  readonly labels: Readonly<Record<string, ExpectedLabel>>;
  readonly indices: Readonly<
    Record<string, number | { readonly start: number; readonly stop: number; readonly step: number }>
  >;
  readonly dims: readonly string[];
  readonly values: ExpectedValues;
  readonly coordinates: Readonly<
    Record<string, { readonly dims: readonly string[]; readonly values: ExpectedValues }>
  >;
}

type Label = string | number;
export type ExpectedLabel =
  | { readonly at: Label; readonly method?: 'EXACT' | 'NEAREST' | 'PAD' | 'BACKFILL' }
  | { readonly values: readonly Label[] }
  | { readonly from?: Label; readonly to?: Label };

export interface ExpectedCase {
  readonly case: string;
  readonly format: 2 | 3;
  readonly consolidated: boolean;
  readonly groups: Readonly<Record<string, ExpectedGroup>>;
  readonly selections: readonly ExpectedSelection[];
}

/** Names of all cases. */
export function caseNames(): string[] {
  return readdirSync(datasetsFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'));
}

export function readCase(name: string): ExpectedCase {
  return JSON.parse(readFileSync(join(datasetsFolder, `${name}.json`), 'utf8'));
}

/** Decoded values in the form of the fixtures. */
export function shown(block: Block): ExpectedValues {
  const { dtype } = block;
  switch (dtype.name) {
    case 'numpy.datetime64':
      return { dates: formatDatetimes(dataOf(block, dtype.name), dtype).map(plainDate) };
    case 'null_terminated_bytes':
      return { text: dataOf(block, dtype.name).map((bytes) => new TextDecoder().decode(bytes)) };
    case 'fixed_length_utf32':
    case 'string':
      return { text: dataOf(block, dtype.name) };
    case 'json':
      return { items: dataOf(block, dtype.name) as readonly (boolean | null)[] };
    default:
      if (!('bytes' in block)) throw new Error(`unsupported data type ${dtype.name}`);
      return { dtype: dtypeText(block), base64: Buffer.from(block.bytes).toString('base64') };
  }
}

/** Like `shown`, but dates that are decoded as text have the form of dates. */
export function shownDates(block: Block): ExpectedValues {
  const values = shown(block);
  return 'text' in values ? { dates: values.text.map(plainDate) } : values;
}

/** Removes trailing zeros, and pads years -1 to -999, which NumPy writes with three digits. */
function plainDate(text: string | null): string | null {
  const plain = text !== null && text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return plain?.replace(/^-(\d{3})-/, '-0$1-') ?? null;
}

const kinds: Readonly<Record<string, string>> = { int: 'i', uint: 'u', float: 'f', complex: 'c' };

/** NumPy's type string of a decoded block; "object" for text and items. */
export function dtypeText({ dtype }: Block): string {
  if (dtype.name === 'bool') return '|b1';
  if (dtype.name === 'null_terminated_bytes') return `|S${dtype.itemSize}`;
  if (dtype.name === 'fixed_length_utf32') return `<U${dtype.itemSize / 4}`;
  if (dtype.name === 'numpy.timedelta64') return `<m8[${dtype.unit}]`;
  if (dtype.name === 'numpy.datetime64') return `<M8[${dtype.unit}]`;
  if (dtype.itemSize === null) return 'object';
  return `${dtype.itemSize === 1 ? '|' : '<'}${kinds[dtype.name.replace(/\d+/, '')]}${dtype.itemSize}`;
}

/** Converts values for comparison. All NaNs become equal, because their bits depend on the processor. */
export function comparable(values: ExpectedValues): unknown {
  if (!('base64' in values)) return values;
  const bytes = Uint8Array.from(Buffer.from(values.base64, 'base64'));
  const floats = /^<[fc](\d+)$/.exec(values.dtype);
  if (floats === null) return values;
  const itemSize = Number(floats[1]) / (values.dtype.startsWith('<c') ? 2 : 1);
  const block: Block = {
    dtype: { name: itemSize === 2 ? 'float16' : itemSize === 4 ? 'float32' : 'float64', itemSize },
    shape: [bytes.length / itemSize],
    bytes,
  };
  return { dtype: values.dtype, numbers: Array.from(toTypedArray(block)) };
}
