/** Labels of a coordinate as labels in memory, with its kind, calendar, units and attributes. */
import { type DataType, inTurns, NAT } from '../../zarr/index.js';
import { dateLabels, MadeLabels, sameLabels, textLabels } from '../grouping/made-labels.js';
import type { LabelKey } from './label-keys.js';
import type { LabelsAlong } from './labels-along.js';

/**
 * @param keyAt the key of each label; undefined for a missing one
 * @param dtype the data type of labels that are not dates
 */
export async function heldLabels(
  { name, times, dtype: own, units, attributes }: Omit<LabelsAlong, 'keys' | 'known'>,
  count: number,
  keyAt: (i: number) => LabelKey | undefined,
  dtype: DataType = own,
): Promise<MadeLabels> {
  const described = { units, attributes };
  if (times === undefined) {
    if (dtype.name === 'string') {
      const texts = Array.from({ length: count }, (_, i) => {
        const key = keyAt(i);
        return key === undefined ? null : String(key);
      });
      return new MadeLabels(name, { ...described, stored: await inTurns(textLabels(texts)) });
    }
    const missing = dtype.name.startsWith('float') ? NaN : dtype.name === 'numpy.timedelta64' ? NAT : null;
    const values = Array.from({ length: count }, (_, i) => keyAt(i) ?? missing);
    return new MadeLabels(name, { ...described, stored: sameLabels(values, dtype) });
  }
  const ticks = BigInt64Array.from({ length: count }, (_, i) => {
    const key = keyAt(i);
    return typeof key === 'bigint' ? key : NAT;
  });
  return new MadeLabels(name, { ...described, ...(await inTurns(dateLabels(name, times, ticks, own))) });
}
