/** The arrays of the fixture matrix that are in folders and have known bytes. Zip files are tested with the store. */
import { readCases } from '../conformance/cases.js';
import type { Layout } from './expected-json.js';

export interface MatrixCase {
  readonly id: string;
  readonly path: string;
  readonly node: string;
  readonly shape: number[];
  readonly layout: Layout;
  readonly expected?: string;
  readonly features: string[];
  readonly undefined_chunks?: unknown[];
}

export const matrixCases = readCases<MatrixCase>('matrix').filter(
  (one) => typeof one.expected === 'string' && one.path.endsWith('.zarr'),
);
