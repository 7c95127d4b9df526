/** Output forms of values. Each form has a module in this folder; `forms.ts` lists them. */
import type { DataType, ElementRange, LazySlice, SliceBlock } from '../../zarr/index.js';
import type { BodyPiece } from '../time-sliced-body.js';

/** A file form for the values of a slice: served by `Slice.href`, and written by `zarrql get`. */
export interface FileForm {
  /** Name as in the schema's enum `FileFormat`, in capitals. The command line uses lower case. */
  readonly name: string;
  /** File extension, including the dot. */
  readonly extension: string;
  readonly mediaType: string;
  readonly isText: boolean;
  /** Description of the file, for the documentation. */
  readonly description: string;
  /** Supported data types, for the documentation. */
  readonly types: string;
  /** Distinguishes forms with the same name; part of the ETag. @default nothing */
  readonly variant?: string;
  /**
   * Whether browsers display the file, including in pages of other origins, instead of downloading it.
   * @default false
   */
  readonly isPicture?: boolean;
  /** Whether the file does not depend on the values. @default false */
  readonly readsNoValues?: boolean;
  /** Memory for creating the file, in bytes, in addition to the values. @default a small amount */
  ownBytes?(slice: LazySlice): number;
  /** Maximum number of times that the chunks of a slice are read. @default once */
  passes?(dtype: DataType): number;
  /**
   * Checks the data type before any value is read.
   * @throws UnsupportedError if the form does not support the data type
   */
  open(slice: LazySlice, options: FileOptions): SliceFile;
}

export interface FileOptions {
  /** Line terminator of text. @default '\r\n', as RFC 4180 specifies */
  readonly newline?: '\n' | '\r\n';
  /**
   * The labels of each dimension by position, for forms that show positions. Undefined to show the
   * positions themselves.
   */
  readonly labels?: readonly (((i: number) => string) | undefined)[];
  /** Further labels of each dimension, such as the latitude and longitude of points. */
  readonly beside?: readonly (readonly { readonly name: string; readonly at: (i: number) => string }[])[];
}

/** A file ready to be written. */
export interface SliceFile {
  /** Length of the file in bytes. Undefined if it is unknown until the file is written, as for text and pictures. */
  readonly byteLength: number | undefined;
  /** Creates bytes `from` (inclusive) to `to` (exclusive) of the file. Ignores the range if the length is unknown. */
  pieces(read: ReadParts, from: number, to: number): AsyncGenerator<BodyPiece>;
}

/**
 * Reads a range of a slice's elements, in C order, part by part. The bytes of a part are valid until the next
 * part is requested.
 */
export type ReadParts = (slice: LazySlice, range: ElementRange) => AsyncIterable<SliceBlock>;

/** An output form of GraphQL results, with its media types. */
export interface ResultForm {
  /** Media types in order of preference. */
  readonly mediaTypes: readonly string[];
  /** Whether the output is text in UTF-8. */
  readonly isText: boolean;
  /** Writes plain data with NDArray values. Undefined members are omitted. */
  write(result: unknown): Iterator<BodyPiece>;
}

/**
 * Yields `first` after the first of the remaining pieces has been created, so that a failing read produces
 * no output.
 */
export async function* startWith(
  first: BodyPiece,
  others: AsyncGenerator<BodyPiece>,
): AsyncGenerator<BodyPiece> {
  const second = await others.next();
  yield first;
  if (second.done !== true) yield second.value;
  yield* others;
}
