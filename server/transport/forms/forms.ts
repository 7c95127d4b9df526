/**
 * All forms of output. To add one, write its module and list it here. A file form also needs a value of the
 * enum `FileFormat` in schema/values.graphql; the compiler reports missing values.
 */
import { cborResult, sharingCborResult } from './cbor.js';
import { csvFile } from './csv.js';
import type { FileForm, ResultForm } from './form.js';
import { jsonFile, jsonResult } from './json.js';
import { npyFile } from './npy.js';
import { rawFile } from './raw.js';

/** File forms in the order of the documentation. */
const files = [npyFile, rawFile, csvFile, jsonFile] as const;

/** Result forms in order of preference, for clients that accept several. */
const results = [jsonResult, cborResult, sharingCborResult] as const;

/** The values of the enum `FileFormat`. */
export type FileFormat = (typeof files)[number]['name'];

export const fileForms: readonly (FileForm & { readonly name: FileFormat })[] = files;

const filesByName: ReadonlyMap<unknown, FileForm> = new Map(files.map((form) => [form.name, form]));

export function isFileFormat(value: unknown): value is FileFormat {
  return filesByName.has(value);
}

export function fileForm(format: FileFormat): FileForm {
  const form = filesByName.get(format);
  if (form === undefined) throw new TypeError(`unknown file format ${format}`);
  return form;
}

/** A media type of results. */
export type ResultMediaType = (typeof results)[number]['mediaTypes'][number];

export const resultMediaTypes: readonly ResultMediaType[] = results.flatMap(({ mediaTypes }) => mediaTypes);

const resultsByType = new Map<ResultMediaType, ResultForm>(
  results.flatMap((form) => form.mediaTypes.map((type) => [type, form] as const)),
);

export function resultForm(mediaType: ResultMediaType): ResultForm {
  const form = resultsByType.get(mediaType);
  if (form === undefined) throw new TypeError(`unknown media type ${mediaType}`);
  return form;
}
