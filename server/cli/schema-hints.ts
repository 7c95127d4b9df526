/** Adds what changes with the data to the schema of a store: sizes, chunks, and the first and last label of indexes. */
import {
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  type TypeNode,
  visit,
} from 'graphql';

/** Arrays of one document. */
const ARRAYS_AT_ONCE = 50;

/** Executes a document. @returns its `data`; undefined if it failed */
export type RunDocument = (document: string) => Promise<Readonly<Record<string, unknown>> | undefined>;

interface HintedArray {
  readonly field: FieldDefinitionNode;
  /** The fields from the root to the group of the array. */
  readonly groups: readonly string[];
  readonly isIndex: boolean;
}

/** @param sdl the SDL of a store. What cannot be read has no hint. */
export async function withHints(sdl: string, run: RunDocument): Promise<string> {
  const document = parse(sdl);
  const hints = new Map<FieldDefinitionNode, string>();
  const byGroup = new Map<string, HintedArray[]>();
  for (const array of arraysIn(document)) {
    const path = array.groups.join(' ');
    byGroup.set(path, [...(byGroup.get(path) ?? []), array]);
  }
  for (const arrays of byGroup.values())
    for (let at = 0; at < arrays.length; at += ARRAYS_AT_ONCE)
      await readHints(arrays.slice(at, at + ARRAYS_AT_ONCE), run, hints);
  const hinted = visit(document, {
    FieldDefinition(field) {
      const hint = hints.get(field);
      if (hint === undefined) return undefined;
      const value = [field.description?.value ?? '', hint].join(' ').trim();
      return { ...field, description: { kind: Kind.STRING, value, block: true } };
    },
  });
  return `${print(hinted)}\n`;
}

/** The arrays with one path: those of families have many. */
function arraysIn(document: DocumentNode): HintedArray[] {
  const types = new Map<string, ObjectTypeDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) types.set(definition.name.value, definition);
  const found: HintedArray[] = [];
  const visitGroup = (type: ObjectTypeDefinitionNode, groups: readonly string[]): void => {
    for (const field of type.fields ?? []) {
      const name = field.name.value;
      const own = types.get(namedType(field.type));
      const hasPath = field.directives?.some((directive) => directive.name.value === 'zarr' && directive.arguments?.some((argument) => argument.name.value === 'path')); // prettier-ignore
      if (own === undefined || hasPath !== true) continue;
      if (own.fields?.some((inner) => inner.name.value === '_name') === true) {
        visitGroup(own, [...groups, name]);
        continue;
      }
      const [dim, ...others] = field.arguments ?? [];
      const hasValue = own.fields?.some((inner) => inner.name.value === 'value') === true;
      found.push({ field, groups, isIndex: hasValue && others.length === 0 && dim?.name.value === name });
    }
  };
  const query = types.get('Query');
  if (query !== undefined) visitGroup(query, []);
  return found;
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}

async function readHints(
  arrays: readonly HintedArray[],
  run: RunDocument,
  hints: Map<FieldDefinitionNode, string>,
): Promise<void> {
  const [{ groups } = { groups: [] }] = arrays;
  const fields = arrays.map(({ field, isIndex }, i) => {
    const name = field.name.value;
    const label = (alias: string, index: number) =>
      ` ${alias}${i}: ${name}(${name}: {index: ${index}}) { value }`;
    const labels = isIndex ? label('first', 0) + label('last', -1) : '';
    return `a${i}: ${name} { array { shape chunkShape } }${labels}`;
  });
  const open = groups.map((name) => `${name} { `).join('');
  const data = await run(`{ ${open}${fields.join(' ')} ${'}'.repeat(groups.length + 1)}`);
  const group = groups.reduce<unknown>((value, name) => memberOf(value, name), data);
  for (const [i, { field }] of arrays.entries()) {
    const array = memberOf(memberOf(group, `a${i}`), 'array');
    const [shape, chunks] = [sizesOf(memberOf(array, 'shape')), sizesOf(memberOf(array, 'chunkShape'))];
    if (shape === undefined || chunks === undefined) continue;
    const [first, last] = ['first', 'last'].map((alias) => memberOf(memberOf(group, alias + String(i)), 'value')); // prettier-ignore
    const labels = isLabel(first) && isLabel(last) ? ` From ${first} to ${last}.` : '';
    hints.set(field, shape === '' ? 'A single value.' : `Shape ${shape}, chunks ${chunks}.${labels}`);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}

function sizesOf(value: unknown): string | undefined {
  return Array.isArray(value) ? value.join(' x ') : undefined;
}

/** Labels of one line. Text comes from the data. */
function isLabel(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^[\w:.+ -]{1,60}$/.test(value));
}
