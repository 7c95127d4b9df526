/** Coordinates for tests of labels, and a search for positions along them. */
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { LabelIndex } from '../../../server/dataset/labels/label-index.js';
import { labelKeys } from '../../../server/dataset/labels/label-keys.js';
import type { LabelDim } from '../../../server/dataset/labels/label-selection.js';
import { type Block, isZarrError, resolveSelection, runToEnd } from '../../../server/zarr/index.js';

export const types = {
  int32: (values: number[]) => Int32Array.from(values),
  float32: (values: number[]) => Float32Array.from(values),
  float64: (values: number[]) => Float64Array.from(values),
  int64: (values: number[]) => BigInt64Array.from(values, BigInt),
};
export type NumberTypeName = keyof typeof types;

export function numbers(name: NumberTypeName, values: number[]): Block {
  const data = types[name](values);
  const dtype = { name, itemSize: data.BYTES_PER_ELEMENT };
  return { dtype, shape: [values.length], bytes: new Uint8Array(data.buffer) };
}

export function indexOf(stored: Block, attributes = {}): LabelIndex {
  const { dtype, shape } = stored;
  const decoding = planDecoding({ name: 'x', zarrFormat: 3, dtype, shape, attributes, fill: undefined });
  return runToEnd(LabelIndex.create('x', runToEnd(labelKeys(stored, decoding))));
}

/** The selected positions, or the error. */
export function positions(index: LabelIndex, by: LabelDim): number[] | 'BAD_SELECTION' {
  try {
    const { kind, ...resolved } = resolveSelection({ kind: 'dims', dims: [runToEnd(index.find(by))] }, [
      { name: 'x', size: index.size, chunks: undefined },
    ]);
    const dim = kind === 'box' && 'dims' in resolved ? resolved.dims[0] : undefined;
    if (dim === undefined) throw new TypeError('expected one dimension');
    return dim.kind === 'list'
      ? [...dim.at]
      : Array.from({ length: dim.count }, (_, i) => dim.start + i * dim.step);
  } catch (error) {
    if (isZarrError(error, 'BAD_SELECTION')) return 'BAD_SELECTION';
    throw error;
  }
}
