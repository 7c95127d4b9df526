/** Checks shared by several families. */
import type { JsonObject } from '../../bytes/json.js';
import { MetadataError } from '../../errors.js';

/** @throws MetadataError if the configuration has an option */
export function refuseConfiguration(configuration: JsonObject, name: string, at: string): void {
  const [option] = Object.keys(configuration);
  if (option !== undefined)
    throw new MetadataError(`${at} "${name}" accepts no configuration, but has ${JSON.stringify(option)}`);
}

/** The registered name for an alias. */
export function canonicalName(name: string, aliases: Readonly<Record<string, string>>): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}
