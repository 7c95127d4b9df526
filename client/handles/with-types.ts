/**
 * Adds the names and data types of a store to a handle. They exist only at compile time, and no other
 * module trusts them. At run time, all handles are equal, and data types are compared with each response.
 *
 * @param handle must have all members of the type
 */
export function withTypes<H extends object>(handle: { readonly [K in keyof H]: unknown }): H {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return handle as H;
}
