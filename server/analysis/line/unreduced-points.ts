/** Lines with few points, returned unreduced. */
import { defined } from '../../../wire/guards.js';
import { type Block, type DataType, NAT, type Pause, toTypedArray } from '../../zarr/index.js';
import { ValueList, valueSource } from './value-list.js';

/** Number of elements between two checks of the clock. */
const PIECE = 2 ** 12;

/**
 * Converts the values of lines to another data type.
 * @param values a block with one or two dimensions
 * @param along the dimension of the x-axis; it becomes the last one
 */
export async function wholeValues(
  values: Block,
  along: number,
  dtype: DataType,
  pause: Pause,
): Promise<Block> {
  const { shape } = values;
  if (shape.length === 1 && dtype === values.dtype) return values;
  const length = defined(shape[along]);
  const lines = shape.length === 1 ? 1 : defined(shape[1 - along]);
  const list = new ValueList(dtype, lines * length);
  const numbers = toTypedArray(values);
  const hasNaT = values.dtype.name.startsWith('numpy');
  // Counts elements rather than lines, because any number of lines may have no elements.
  for (let position = 0; position < lines * length; position++) {
    const [s, i] = [Math.floor(position / length), position % length];
    const value = numbers[along === 0 ? i * lines + s : position];
    if (typeof value === 'number' || (typeof value === 'bigint' && !(hasNaT && value === NAT)))
      list.setNumber(position, value);
    else list.setMissing(position);
    if (position % PIECE === 0) await pause();
  }
  return list.block(shape.length === 1 ? [length] : [lines, length]);
}

/** Converts labels to a data type, and repeats them for each line. @param lines undefined for a single line */
export async function repeatedLabels(
  labels: Block,
  dtype: DataType,
  lines: number | undefined,
  pause: Pause,
): Promise<Block> {
  if (lines === undefined && dtype === labels.dtype) return labels;
  const length = defined(labels.shape[0]);
  const list = new ValueList(dtype, (lines ?? 1) * length);
  const source = valueSource(labels);
  for (let position = 0; position < (lines ?? 1) * length; position++) {
    source.put(list, position, position % length, position % length);
    if (position % PIECE === 0) await pause();
  }
  return list.block(lines === undefined ? [length] : [lines, length]);
}
