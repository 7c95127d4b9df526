/** GraphQL documents for requests without an SDK method, the used fields of their results, and members of groups. */
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

/** A separate document, because `storage` lists the objects of the array, which takes time. */
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
  'query Estimates($requests: [SliceRequest!]!) { slices(requests: $requests) { shape ' +
    'estimate { chunks decodedBytes reducedBytes outputBytes allowed exceeded { limit allowed needed } } } }',
);

interface LinksData {
  readonly slices: readonly ({
    readonly npy: string | null;
    readonly csv: string | null;
    readonly raw: string | null;
    readonly picture?: { readonly href: string | null } | null;
  } | null)[];
}

export interface LinksVariables {
  readonly requests: readonly unknown[];
  /** Whether the slice is a plane, so that the gateway can draw it. */
  readonly hasPicture: boolean;
  readonly colorMap: { readonly name: string };
  readonly range: { readonly min: number; readonly max: number } | null;
  readonly scale: 'LINEAR' | 'LOG';
}

/** Links to the values as files and to a picture. */
export const linksDocument = typedDocument<LinksData, LinksVariables>(
  'Links',
  'query Links($requests: [SliceRequest!]!, $hasPicture: Boolean!, $colorMap: ColorMapInput, $range: ValueRange, $scale: ColorScale!) { ' +
    'slices(requests: $requests) { npy: href(format: NPY) csv: href(format: CSV) raw: href(format: RAW) ' +
    'picture: image(width: 1000, colorMap: $colorMap, range: $range, scale: $scale) @include(if: $hasPicture) { href } } }',
);
