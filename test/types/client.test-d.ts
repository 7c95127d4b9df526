/** Type tests of the SDK, checked by tsc. */
import { expectTypeOf } from 'vitest';
import { createClient, createSdk, isZarrqlError } from '../../client/index.js';
import type {
  AnyNDArray,
  ArrayHandle,
  DataOf,
  DTypeName,
  JsonValue,
  NDArray,
  ScalarOf,
  SliceOutcome,
  TypedDocument,
  ZarrqlErrorCode,
} from '../../client/index.js';

export async function check(error: unknown): Promise<void> {
  const client = createClient({ url: 'http://127.0.0.1:4000/graphql' });
  const store = client.store('coads');
  // @ts-expect-error neither a URL, a gateway nor a fetch
  createClient({});
  // @ts-expect-error likewise
  createClient({ timeoutMs: 1000 });
  createClient({ gateway: {} });

  // Data types.
  expectTypeOf<DataOf<'float32'>>().toEqualTypeOf<Float32Array>();
  expectTypeOf<DataOf<'float16'>>().toEqualTypeOf<Float32Array>();
  expectTypeOf<DataOf<'int64'>>().toEqualTypeOf<BigInt64Array>();
  expectTypeOf<DataOf<'bool'>>().toEqualTypeOf<Uint8Array>();
  expectTypeOf<ScalarOf<'uint64'>>().toEqualTypeOf<bigint>();
  expectTypeOf<ScalarOf<'complex64'>>().toEqualTypeOf<readonly [re: number, im: number]>();
  expectTypeOf<DataOf<'string'>>().toEqualTypeOf<readonly (string | null)[]>();

  // A stated data type is the type of the result.
  const array = store.array('SST', { dtype: 'float32' });
  expectTypeOf(array).toEqualTypeOf<ArrayHandle<'float32'>>();
  const slice = await array.slice({ TIME: 0, COADSY: [10, 20] });
  expectTypeOf(slice).toEqualTypeOf<NDArray<'float32'>>();
  expectTypeOf(slice.data).toEqualTypeOf<Float32Array>();
  expectTypeOf(slice.get(0, 0)).toEqualTypeOf<number>();
  expectTypeOf([...slice]).toEqualTypeOf<number[]>();

  // Several possible data types.
  const untyped = store.array('SST');
  const either = await store.array('SST', { dtype: ['float32', 'float64'] }).slice();
  expectTypeOf(either).toEqualTypeOf<NDArray<'float32'> | NDArray<'float64'>>();
  expectTypeOf(either.data).toEqualTypeOf<Float32Array | Float64Array>();

  // Without a stated data type the result is a union.
  const any = await untyped.slice();
  expectTypeOf(any).toEqualTypeOf<AnyNDArray>();
  if (any.dtype === 'int64') expectTypeOf(any.data).toEqualTypeOf<BigInt64Array>();
  if (any.is('float32')) expectTypeOf(any.data).toEqualTypeOf<Float32Array>();
  if (any.is('float32', 'int8')) expectTypeOf(any.data).toEqualTypeOf<Float32Array | Int8Array>();
  if (any.is('string')) expectTypeOf(any.get(0)).toEqualTypeOf<string | null>();
  const wide: NDArray = any;
  if (wide.is('bool')) expectTypeOf(wide.data).toEqualTypeOf<Uint8Array>();
  expectTypeOf<NDArray<'float32'>>().toExtend<NDArray>();

  // A type argument alone is not checked at run time, so it is rejected, and so is a type other than the handle's.
  // @ts-expect-error the data type must be given as a value
  store.array<'float32'>('SST');
  // @ts-expect-error the handle has the type float32
  (await array.slice()).data satisfies Int16Array;
  // @ts-expect-error no such data type
  store.array('SST', { dtype: 'float' });

  // Selections.
  await untyped.slice([0, 10n, [null, null], [null, 5], { indices: [1, 2] }, { chunk: 0 }, { mask: [true] }]);
  await untyped.slice({ points: [[0, 1n]] });
  // @ts-expect-error text cannot select along a single dimension
  await untyped.slice({ lat: '10:20' });
  // @ts-expect-error a range has two ends
  await untyped.slice({ lat: [1] });
  // @ts-expect-error no such method
  await untyped.slice({ lat: { at: 5, method: 'next' } });

  // Several slices: each outcome has its own type.
  const outcomes = await client.slices([
    { store: 'a', path: 'x', dtype: 'float32' },
    { store: 'a', path: 'y', dtype: ['int8', 'int16'] },
    { store: 'a', path: 'z', select: '0' },
  ]);
  expectTypeOf(outcomes).toEqualTypeOf<
    readonly [SliceOutcome<'float32'>, SliceOutcome<'int8' | 'int16'>, SliceOutcome<DTypeName>]
  >();
  const [first] = outcomes;
  if (first.status === 'fulfilled') expectTypeOf(first.value.data).toEqualTypeOf<Float32Array>();

  // Documents.
  const typed: TypedDocument<{ a: number }, { b: string }> = { operationName: 'A', text: '' };
  expectTypeOf(await client.request(typed, { b: '' })).toEqualTypeOf<{ a: number }>();
  expectTypeOf(await client.request('{ a }')).toEqualTypeOf<unknown>();
  // @ts-expect-error the variables are missing
  await client.request(typed);
  // @ts-expect-error a variable of another type
  await client.request(typed, { b: 1 });
  const optional: TypedDocument<{ a: number }, { b?: string }> = { operationName: 'A', text: '' };
  expectTypeOf(await client.request(optional)).toEqualTypeOf<{ a: number }>();
  expectTypeOf(createSdk(client.request)).toEqualTypeOf(client.sdk);
  const members = await client.sdk.members({ store: 'coads', recursive: true });
  const node = members.store?.group?.members?.nodes[0];
  if (node?.__typename === 'ZarrArray')
    expectTypeOf(node.shape).toEqualTypeOf<readonly (number | string)[]>();

  expectTypeOf((await untyped.info()).shape).toEqualTypeOf<readonly number[]>();
  expectTypeOf((await untyped.info()).attributes['units']).toEqualTypeOf<JsonValue | undefined>();
  expectTypeOf((await untyped.estimate()).chunks).toEqualTypeOf<bigint>();
  if (isZarrqlError(error)) expectTypeOf(error.code).toEqualTypeOf<ZarrqlErrorCode>();
  if (isZarrqlError(error, 'NOT_FOUND', 'TIMEOUT'))
    expectTypeOf(error.code).toExtend<'NOT_FOUND' | 'TIMEOUT'>();
}
