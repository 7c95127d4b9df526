/**
 * Charges all JSON values of a response (attributes, metadata, fill values) to the request. Otherwise a few
 * megabytes of metadata, requested under many aliases, would result in a response of gigabytes.
 */
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import type { GatewayContext } from '../context.js';
import { sizeOfJson } from './json-size.js';

export function chargeJsonFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      if (getNamedType(field.type).name === 'JSON') chargeField(field);
  }
}

function chargeField(field: GraphQLField<unknown, GatewayContext>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    return value instanceof Promise
      ? value.then((resolved: unknown) => charged(resolved, context))
      : charged(value, context);
  };
}

/** Charges and returns the value, immediately if possible. @throws LimitError, BusyError */
function charged(value: unknown, { budget, signal }: GatewayContext): unknown {
  const size = sizeOfJson(value);
  if (typeof size !== 'number')
    return size.then(async (bytes) => {
      await budget.chargeJson(bytes, signal);
      return value;
    });
  const granted = budget.chargeJson(size, signal);
  return granted === undefined ? value : granted.then(() => value);
}
