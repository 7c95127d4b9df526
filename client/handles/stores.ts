/**
 * Compile-time descriptions of a gateway's stores. `zarrql-client codegen` writes an interface in this form; without one, any
 * name and any data type is allowed.
 */
import type { JsonObject } from '../json/json.js';
import type { Coordinate, Coordinates, DTypeName } from '../ndarray/ndarray.js';

/** An array or a variable of a dataset: data type, names of the dimensions (a union), attributes. */
export interface ArrayType<
  D extends DTypeName = DTypeName,
  N extends string = string,
  A extends object = JsonObject,
> {
  readonly dtype: D;
  readonly dimensions: N;
  readonly attributes: A;
}

/** A dataset: decoded variables by name, and the names of the dimensions (a union). */
export interface DatasetType {
  readonly variables: object;
  readonly dimensions: string;
}

/** A store: nodes by path without the first slash; the root is ''. */
export interface StoreType {
  /** Maps paths to {@link ArrayType}. */
  readonly arrays: object;
  /** Maps paths to attributes. */
  readonly groups: object;
  /** Maps paths of groups to {@link DatasetType}. */
  readonly datasets: object;
}

/** Stores by name: the type argument of `createClient<Stores>()`. */
export type StoreTypes<S> = { readonly [K in keyof S]: StoreType };

/** A store without a generated description. */
export interface AnyStore {
  readonly arrays: { readonly [path: string]: ArrayType };
  readonly groups: { readonly [path: string]: JsonObject };
  readonly datasets: { readonly [path: string]: AnyDataset };
}

export interface AnyDataset {
  readonly variables: { readonly [name: string]: ArrayType };
  readonly dimensions: string;
}

export interface AnyStores {
  readonly [name: string]: AnyStore;
}

/** Variables of a dataset without a generated description. */
export type AnyVariables = AnyDataset['variables'];

export type VariablesOf<T> = T extends DatasetType ? T['variables'] : AnyVariables;

/** The variables of the dataset that contains the array at path `P`, including coordinates. */
export type VariablesOfParent<S extends object, P> =
  ParentOf<WithoutSlash<P>> extends infer G
    ? G extends keyof S
      ? VariablesOf<S[G]>
      : AnyVariables
    : AnyVariables;

type ParentOf<P> = P extends `${infer Head}/${infer Rest}`
  ? Rest extends `${string}/${string}`
    ? `${Head}/${ParentOf<Rest>}`
    : Head
  : '';

/** The datasets of a group and of the groups below it, by relative path. */
export type DatasetsBelow<S extends object, P extends string> =
  WithoutSlash<P> extends ''
    ? S
    : string extends keyof S
      ? S
      : {
          readonly [
            K in keyof S as K extends WithoutSlash<P>
              ? ''
              : K extends `${WithoutSlash<P>}/${infer Rest}`
                ? Rest
                : never
          ]: S[K];
        };

/** Coordinates of a slice whose dataset has the variables `V`. */
export type CoordinatesOf<V extends object> = string extends keyof V
  ? Coordinates
  : { readonly [K in keyof V]?: Coordinate<DTypeAt<V, K>> | undefined };

/** The entry at a path, with or without the first slash. */
export type AtPath<M extends object, P> = M[WithoutSlash<P> & keyof M];

type WithoutSlash<P> = P extends `/${infer Rest}` ? Rest : P;

/** The entries below a path, by relative path. */
export type Below<M extends object, P extends string> =
  WithoutSlash<P> extends ''
    ? M
    : string extends keyof M
      ? M
      : { readonly [K in keyof M as K extends `${WithoutSlash<P>}/${infer Rest}` ? Rest : never]: M[K] };

export type DTypeAt<M extends object, P> =
  AtPath<M, P> extends ArrayType<infer D, infer _N, infer _A> ? D : never;
export type DimensionAt<M extends object, P> =
  AtPath<M, P> extends ArrayType<infer _D, infer N, infer _A> ? N : never;
export type AttributesAt<M extends object, P> =
  AtPath<M, P> extends ArrayType<infer _D, infer _N, infer A> ? A : JsonObject;

/**
 * Types a handle with the names and data types of a store. These types exist only at compile time: at run time, a
 * response is compared only with a data type from the option `dtype`.
 *
 * @param handle must have all members of the type
 */
export function withTypes<H extends object>(handle: { readonly [K in keyof H]: unknown }): H {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return handle as H;
}
