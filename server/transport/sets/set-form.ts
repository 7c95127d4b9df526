/** File forms of several slices with their coordinates. Each form has a module; `set-forms.ts` lists them. */
import type { LabelledSet } from '../labelled-set.js';
import type { ReadParts } from '../forms/form.js';
import type { BodyPiece } from '../time-sliced-body.js';

export interface SetForm {
  /** Name as in the schema's enum `FileFormat`. The command line uses lower case. */
  readonly name: string;
  /** File extension, including the dot. */
  readonly extension: string;
  readonly mediaType: string;
  readonly isText: false;
  /** Description of the file, for the documentation. */
  readonly description: string;
  /** Supported data types, for the documentation. */
  readonly types: string;
  /**
   * Checks names and types before any value is read.
   * @throws UnsupportedError for data types that the form lacks; InputError for variables that do not fit together, and
   * for options of other forms
   */
  open(set: LabelledSet, options: SetOptions): SetFile;
}

export interface SetOptions {
  /** For tables: names of the first dimensions, whose positions are rows. @default all dimensions */
  readonly rows?: readonly string[] | undefined;
}

export interface SetFile {
  /** Memory for creating the file, in bytes, in addition to the values and coordinates. */
  readonly ownBytes: number;
  /** @param readOf creates a reader for one variable at a time; blocks of one reader share memory */
  pieces(readOf: () => ReadParts): AsyncGenerator<BodyPiece>;
}
