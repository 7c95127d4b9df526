/**
 * What types may know of a gateway's stores. `zarrql codegen` writes an interface in this form; without one every name
 * is allowed and every data type is possible.
 */
import type { JsonObject } from '../json/json.js';
import type { DTypeName } from '../ndarray/ndarray.js';

/** An array or a dataset's variable: its data type, the names of its dimensions (a union), its attributes. */
export interface ArrayType<
  D extends DTypeName = DTypeName,
  N extends string = string,
  A extends object = JsonObject,
> {
  readonly dtype: D;
  readonly dimensions: N;
  readonly attributes: A;
}

/** A dataset: its variables by name, after decoding, and the names of its dimensions (a union). */
export interface DatasetType {
  readonly variables: object;
  readonly dimensions: string;
}

/** A store: its nodes by path, without the first slash; the root is ''. */
export interface StoreType {
  /** Path -> {@link ArrayType}. */
  readonly arrays: object;
  /** Path -> attributes. */
  readonly groups: object;
  /** Path of the group -> {@link DatasetType}. */
  readonly datasets: object;
}

/** Stores by name: what `createClient<Stores>()` takes. */
export type StoreTypes<S> = { readonly [K in keyof S]: StoreType };

/** A store of which nothing is known. */
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

/** What stands at a path, with or without its first slash. */
export type AtPath<M extends object, P> = M[WithoutSlash<P> & keyof M];

type WithoutSlash<P> = P extends `/${infer Rest}` ? Rest : P;

/** The entries below a path, by their paths from there. */
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
