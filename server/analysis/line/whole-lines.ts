/** Lines with few points, returned unreduced. */
import { type Block, type YieldToEventLoop, type DataType, NAT, toTypedArray } from '../../zarr/index.js';
import { ValueList, valueSource } from './value-list.js';

/** Elements between two checks of the clock. */
const PIECE = 2 ** 12;

/**
 * Converts the values of lines to another data type.
 * @param values of one dimension, or of two
 * @param along the dimension of the x-axis; it becomes the last one
 */
export async function wholeValues(
  values: Block,
  along: number,
  dtype: DataType,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Block> {
  const { shape } = values;
  if (shape.length === 1 && dtype === values.dtype) return values;
  const length = shape[along] ?? 0;
  const lines = shape.length === 1 ? 1 : (shape[1 - along] ?? 0);
  const list = new ValueList(dtype, lines * length);
  const numbers = toTypedArray(values);
  const hasNaT = values.dtype.name.startsWith('numpy');
  for (let s = 0; s < lines; s++)
    for (let i = 0; i < length; i++) {
      const value = numbers[along === 0 ? i * lines + s : s * length + i];
      const place = s * length + i;
      if (typeof value === 'number' || (typeof value === 'bigint' && !(hasNaT && value === NAT)))
        list.setNumber(place, value);
      else list.setMissing(place);
      if (place % PIECE === 0) await yieldToEventLoop();
    }
  return list.block(shape.length === 1 ? [length] : [lines, length]);
}

/** Repeats the labels for each of several lines; undefined for a single line. */
export async function repeatedLabels(
  labels: Block,
  dtype: DataType,
  lines: number | undefined,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Block> {
  if (lines === undefined && dtype === labels.dtype) return labels;
  const length = labels.shape[0] ?? 0;
  const list = new ValueList(dtype, (lines ?? 1) * length);
  const source = valueSource(labels);
  for (let place = 0; place < (lines ?? 1) * length; place++) {
    source.put(list, place, place % length, place % length);
    if (place % PIECE === 0) await yieldToEventLoop();
  }
  return list.block(lines === undefined ? [length] : [lines, length]);
}
