/** A form of output: how values leave. Each has a module in this folder; `forms.ts` lists them. */
import type { DataType, ElementRange, LazySlice, SliceBlock } from '../../zarr/index.js';
import type { BodyPiece } from '../time-sliced-body.js';

/** A file of a slice's values: behind `Slice.href`, and from `zarrql get`. */
export interface FileForm {
  /** In capitals, as in the schema's enum `FileFormat`; in lower case the name on the command line. */
  readonly name: string;
  /** With its dot. */
  readonly extension: string;
  readonly mediaType: string;
  readonly isText: boolean;
  /** What the file is, for the documentation. */
  readonly description: string;
  /** The data types that it can hold, for the documentation. */
  readonly types: string;
  /** How many times a slice's chunks are read, at most. @default once */
  passes?(dtype: DataType): number;
  /** @throws UnsupportedError if the file cannot hold the data type; nothing has been read */
  open(slice: LazySlice, options: FileOptions): SliceFile;
}

export interface FileOptions {
  /** Line ends of text. @default '\r\n', as RFC 4180 has it */
  readonly newline?: '\n' | '\r\n';
}

/** A file that can be written. */
export interface SliceFile {
  /** Undefined for text, whose length is unknown before it is written. */
  readonly byteLength: number | undefined;
  /** Bytes `from` up to, not including, `to`; of text always all. */
  pieces(read: ReadParts, from: number, to: number): AsyncGenerator<BodyPiece>;
}

/** Reads a range of a slice's elements, in C order, part by part. The bytes of a part are valid until the next one. */
export type ReadParts = (slice: LazySlice, range: ElementRange) => AsyncIterable<SliceBlock>;

/** A media type of GraphQL results. */
export interface ResultForm {
  /** In order of preference. */
  readonly mediaTypes: readonly string[];
  /** Text in UTF-8. */
  readonly isText: boolean;
  /** Writes plain data with NDArray values. Undefined members are omitted. */
  write(result: unknown): Iterator<BodyPiece>;
}
