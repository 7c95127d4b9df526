/** Documents for what the SDK has no method for, and the parts of their results that are used. */
import { typedDocument } from 'zarrql-client';

interface ImagesData {
  readonly store: {
    readonly group: {
      readonly multiscales:
        | readonly ({
            readonly name: string | null;
            readonly convention: string;
            readonly levels: readonly {
              readonly path: string;
              readonly array: { readonly shape: readonly unknown[] } | null;
            }[];
          } | null)[]
        | null;
    } | null;
  } | null;
}

/** The images of a group, with the arrays of their levels. */
export const imagesDocument = typedDocument<ImagesData, { store: string; path: string }>(
  'Images',
  'query Images($store: String!, $path: String!) { store(name: $store) { group(path: $path) { multiscales { name convention levels { path array { shape } } } } } }',
);

interface StorageData {
  readonly store: {
    readonly array: {
      readonly storage: {
        readonly storedBytes: number | string | bigint;
        readonly objects: number | string | bigint;
        readonly storedChunks: number | string | bigint | null;
        readonly ratio: number | null;
      } | null;
    } | null;
  } | null;
}

/** Lists the objects of an array, so it is asked for separately. */
export const storageDocument = typedDocument<StorageData, { store: string; path: string }>(
  'Storage',
  'query Storage($store: String!, $path: String!) { store(name: $store) { array(path: $path) { storage { storedBytes objects storedChunks ratio } } } }',
);

export interface EstimateData {
  readonly slices: readonly ({
    readonly shape: readonly (number | string | bigint)[];
    readonly estimate: {
      readonly chunks: number | string | bigint;
      readonly decodedBytes: number | string | bigint;
      readonly reducedBytes: number | string | bigint;
      readonly outputBytes: number | string | bigint | null;
      readonly allowed: boolean;
      readonly exceeded: readonly {
        readonly limit: string;
        readonly allowed: unknown;
        readonly needed: unknown;
      }[];
    } | null;
  } | null)[];
}

export const estimateDocument = typedDocument<EstimateData, { requests: readonly unknown[] }>(
  'Estimates',
  'query Estimates($requests: [SliceRequest!]!) { slices(requests: $requests) { shape estimate { chunks decodedBytes reducedBytes outputBytes allowed exceeded { limit allowed needed } } } }',
);

interface LinksData {
  readonly slices: readonly ({
    readonly npy: string | null;
    readonly csv: string | null;
    readonly raw: string | null;
  } | null)[];
}

/** Links to the values as files. */
export const linksDocument = typedDocument<LinksData, { requests: readonly unknown[] }>(
  'Links',
  'query Links($requests: [SliceRequest!]!) { slices(requests: $requests) { npy: href(format: NPY) csv: href(format: CSV) raw: href(format: RAW) } }',
);
