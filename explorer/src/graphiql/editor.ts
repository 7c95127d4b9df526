/** The editors of GraphiQL, through the global API of Monaco. */

interface MonacoModel {
  readonly uri: { readonly path: string };
  getLanguageId(): string;
  getValue(): string;
  getLineContent(line: number): string;
  getLineCount(): number;
  getLineMaxColumn(line: number): number;
}

interface MonacoRange {
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

interface MonacoEditor {
  getModel(): MonacoModel | null;
  getPosition(): { readonly lineNumber: number; readonly column: number } | null;
  executeEdits(
    source: string,
    edits: readonly {
      readonly range: MonacoRange;
      readonly text: string;
      readonly forceMoveMarkers: boolean;
    }[],
  ): boolean;
  pushUndoStop(): boolean;
  revealLine(line: number): void;
  setPosition(position: { readonly lineNumber: number; readonly column: number }): void;
  focus(): void;
}

declare global {
  var monaco:
    | { readonly editor: { getEditors(): readonly MonacoEditor[]; getModels(): readonly MonacoModel[] } }
    | undefined;
}

function queryEditor(): MonacoEditor | undefined {
  return globalThis.monaco?.editor
    .getEditors()
    .find((editor) => editor.getModel()?.getLanguageId() === 'graphql');
}

/** Inserts a literal at the cursor of the query, or replaces the literal there. Can be undone. */
export function insertLiteral(literal: string): void {
  const editor = queryEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!editor || !model || !position) return;
  const { lineNumber } = position;
  const { start, end, text } = insertionAt(model.getLineContent(lineNumber), position.column - 1, literal);
  edit(editor, text, [lineNumber, start + 1], [lineNumber, end + 1]);
  editor.focus();
}

/** Adds an operation below the others, and moves the cursor to it: Ctrl-Enter then runs it. */
export function appendOperation(operation: string): void {
  const editor = queryEditor();
  const model = editor?.getModel();
  if (!editor || !model) return;
  const last = model.getLineCount();
  const end: Position = [last, model.getLineMaxColumn(last)];
  const isEmpty = model.getValue().trim() === '';
  edit(editor, `${isEmpty ? '' : '\n\n'}${operation}`, end, end);
  const line = isEmpty ? last : last + 2;
  editor.setPosition({ lineNumber: line, column: 1 });
  editor.revealLine(line);
  editor.focus();
}

type Position = readonly [line: number, column: number];

function edit(editor: MonacoEditor, text: string, [fromLine, from]: Position, [toLine, to]: Position): void {
  const range = { startLineNumber: fromLine, startColumn: from, endLineNumber: toLine, endColumn: to };
  editor.pushUndoStop();
  editor.executeEdits('stores', [{ range, text, forceMoveMarkers: true }]);
  editor.pushUndoStop();
}

/** Names of the operations in the editor. */
export function operationNames(): ReadonlySet<string> {
  const text = queryEditor()?.getModel()?.getValue() ?? '';
  return new Set([...text.matchAll(/(?:query|mutation|subscription)\s+(\w+)/g)].map(([, name = '']) => name));
}

/** Headers entered in GraphiQL, including an access token. Empty unless they are a JSON object. */
export function enteredHeaders(): Record<string, string> {
  const model = globalThis.monaco?.editor.getModels().find(({ uri }) => uri.path.includes('headers'));
  try {
    const headers: unknown = JSON.parse(model?.getValue() ?? '{}');
    if (typeof headers !== 'object' || headers === null) return {};
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
  } catch {
    return {};
  }
}

export interface Insertion {
  /** Columns to replace, counted from 0. Both are equal if nothing is replaced. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Replaces the string or number at the cursor, so that a literal is never inserted into another one. Inserts elsewhere.
 */
export function insertionAt(line: string, column: number, text: string): Insertion {
  for (const { start, end } of literalsOf(line))
    if (column >= start && column <= end) return { start, end, text };
  return { start: column, end: column, text };
}

/** The string and number literals of a line. An unfinished string ends with the line. */
function literalsOf(line: string): readonly { readonly start: number; readonly end: number }[] {
  return [...line.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|(?<![\w.])-?\d[\w.+-]*/g)].map(
    ({ index, 0: literal }) => ({
      start: index,
      end: index + literal.length,
    }),
  );
}
