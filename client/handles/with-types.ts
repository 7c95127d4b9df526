/**
 * Adds the names and data types of its store to a handle; they exist only at compile time. This is the only place that
 * trusts them. At run time all handles are created alike, and data types are compared with each response.
 *
 * @param handle with all members of the type
 */
export function withTypes<H extends object>(handle: { readonly [K in keyof H]: unknown }): H {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return handle as H;
}
