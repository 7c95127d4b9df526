/**
 * All file forms of several slices with their coordinates. To add one, write its module and list it here, and add a value
 * of the enum `FileFormat` in schema/values.graphql.
 */
import { arrowFile } from '../tables/arrow.js';
import { parquetFile } from '../tables/parquet.js';
import { netcdfFile } from '../netcdf/netcdf.js';
import type { SetForm } from './set-form.js';

const forms = [arrowFile, parquetFile, netcdfFile] as const;

export type SetFormat = (typeof forms)[number]['name'];

export const setForms: readonly (SetForm & { readonly name: SetFormat })[] = forms;

const byName: ReadonlyMap<unknown, SetForm> = new Map(forms.map((form) => [form.name, form]));

export function isSetFormat(value: unknown): value is SetFormat {
  return byName.has(value);
}

export function setForm(format: SetFormat): SetForm {
  const form = byName.get(format);
  if (form === undefined) throw new TypeError(`unknown file format ${format}`);
  return form;
}
