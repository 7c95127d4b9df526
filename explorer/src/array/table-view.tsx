/** The values of the visible part as a table. */
import { useState } from 'preact/hooks';
import type { AnyNDArray } from 'zarrql-client';
import { useLoad } from '../gateway/use-load.js';
import { Problem } from '../parts/problem.js';
import { Progress } from '../parts/progress.js';
import { view } from '../state/current.js';
import type { Span } from '../state/view.js';
import { numberText } from './labels.js';
import { liveVersion } from './live.js';
import { lazyOf } from './read-recipe.js';
import type { ArrayModel, Dimension } from './model.js';
import type { Pick } from './recipe.js';
import { axesOf, dtypeOf, recipeOf, spanOf } from './slice-of-view.js';

const [ROWS, COLUMNS] = [25, 12];

export function TableView({ model }: { readonly model: ArrayModel }) {
  const current = view.value;
  const { x, y } = axesOf(model, current);
  const [from, setFrom] = useState({ row: 0, column: 0 });
  // A line is shown as a column.
  const [down, across] = y === undefined ? [x, undefined] : [y, x];
  const rows = partOf(down, from.row, ROWS);
  const columns = partOf(across, from.column, COLUMNS);
  const picks: Record<string, Pick> = {};
  if (down !== undefined) picks[down.key] = { span: rows };
  if (across !== undefined) picks[across.key] = { span: columns };
  const recipe = recipeOf(model, current, picks);
  // A list of records has a column for each field.
  const isRecords =
    across === undefined && dtypeOf(model, current) === 'struct' && current.field === undefined;
  const records = isRecords ? (model.info.fields ?? undefined) : undefined;
  const key = JSON.stringify([recipe, liveVersion.value]);
  const loaded = useLoad(key, (signal) => lazyOf(recipe).read({ signal, coordinates: false }), 80);
  const { data } = loaded;
  const isTransposed =
    down !== undefined &&
    across !== undefined &&
    model.dimensions.indexOf(across) < model.dimensions.indexOf(down);
  const cell = (row: number, column: number) =>
    data === undefined
      ? ''
      : cellText(
          data,
          across === undefined
            ? row
            : isTransposed
              ? column * (data.shape[1] ?? 0) + row
              : row * (data.shape[1] ?? 0) + column,
        );
  return (
    <section class="table" aria-label="Table of values">
      <h3>Table of numbers</h3>
      <div class="pager">
        <Pager dim={down} at={rows} size={ROWS} set={(row) => setFrom({ ...from, row })} />
        <Pager dim={across} at={columns} size={COLUMNS} set={(column) => setFrom({ ...from, column })} />
      </div>
      <Progress since={loaded.since} what="Reading the table" cancel={loaded.cancel} />
      <Problem error={loaded.error} retry={loaded.retry} />
      <div class="scroll" tabIndex={0} role="group" aria-label="Values">
        <table>
          {records !== undefined && (
            <thead>
              <tr>
                <th scope="col">{down?.key}</th>
                {records.map(({ name }) => (
                  <th scope="col" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          {across !== undefined && (
            <thead>
              <tr>
                <th scope="col">
                  {down?.key} \ {across.key}
                </th>
                {numbersIn(columns).map((column) => (
                  <th scope="col" key={column}>
                    {across.labels?.text(column) ?? column}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {numbersIn(rows).map((row, r) => (
              <tr key={row}>
                <th scope="row">{down === undefined ? 'value' : (down.labels?.text(row) ?? row)}</th>
                {records?.map((field) => (
                  <td key={field.name}>{data === undefined ? '' : fieldText(data, r, field)}</td>
                ))}
                {records === undefined &&
                  numbersIn(across === undefined ? [0, 1] : columns).map((column, c) => (
                    <td key={column}>{cell(r, c)}</td>
                  ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function partOf(dim: Dimension | undefined, from: number, count: number): Span {
  if (dim === undefined) return [0, 1];
  const [start, stop] = spanOf(view.value, dim);
  const first = Math.min(Math.max(start, start + from), Math.max(start, stop - 1));
  return [first, Math.min(stop, first + count)];
}

function numbersIn([start, stop]: Span): readonly number[] {
  return Array.from({ length: stop - start }, (_, i) => start + i);
}

interface PagerProps {
  readonly dim: Dimension | undefined;
  readonly at: Span;
  readonly size: number;
  readonly set: (from: number) => void;
}

function Pager({ dim, at, size, set }: PagerProps) {
  if (dim === undefined) return null;
  const [start, stop] = spanOf(view.value, dim);
  if (stop - start <= size) return null;
  return (
    <span>
      {dim.key} {at[0]}–{at[1] - 1} of {start}–{stop - 1}{' '}
      <button type="button" disabled={at[0] <= start} onClick={() => set(Math.max(0, at[0] - start - size))}>
        Previous
      </button>{' '}
      <button type="button" disabled={at[1] >= stop} onClick={() => set(at[0] - start + size)}>
        Next
      </button>
    </span>
  );
}

function cellText(array: AnyNDArray, index: number): string {
  if (index >= array.size) return '';
  if (array.mask?.[index] === 1) return '–';
  const value: unknown = array.at(index);
  if (typeof value === 'bigint' && array.unit !== undefined) return dateText(array, index);
  return valueText(value, array.dtype === 'float32' || array.dtype === 'float16');
}

interface Field {
  readonly name: string;
  readonly dtype: { readonly name: string };
}

/** Formats one field of a record. */
function fieldText(array: AnyNDArray, index: number, { name, dtype }: Field): string {
  if (index >= array.size) return '';
  const record: unknown = array.at(index);
  if (typeof record !== 'object' || record === null) return '';
  const value: unknown = Object.entries(record).find(([key]) => key === name)?.[1];
  return valueText(value, dtype.name === 'float32' || dtype.name === 'float16');
}

function valueText(value: unknown, isFloat32 = false): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '–' : numberText(value, isFloat32);
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return typeof value === 'object' && value !== null ? objectText(value) : '';
}

function objectText(value: object): string {
  if (value instanceof Uint8Array) return bytesText(value);
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint' ? String(each) : each instanceof Uint8Array ? bytesText(each) : each,
    ) ?? ''
  );
}

/** Formats printable ASCII as text without trailing zeros, and other bytes in hexadecimal. */
function bytesText(bytes: Uint8Array): string {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const used = bytes.subarray(0, end);
  if (used.every((byte) => byte >= 0x20 && byte < 0x7f)) return String.fromCharCode(...used);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function dateText(array: AnyNDArray, index: number): string {
  const json = array.toJSON();
  const flat = Array.isArray(json) ? json.flat(1) : [json];
  return String(flat[index] ?? '–');
}
