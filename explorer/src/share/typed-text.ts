/**
 * Generates a document for the schema of the store. The names of its fields and arguments are read from the SDL, so the
 * rules for names exist only in the gateway.
 */
import type { Recipe } from '../array/recipe.js';

interface TypedField {
  readonly name: string;
  readonly type: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
}

/**
 * @param sdl the schema of the recipe's store
 * @returns undefined if that schema cannot express the recipe: stored values of variables, fields of structs, and nodes
 * without a field of their path
 */
export function typedText(recipe: Recipe, sdl: string, name = 'Values'): string | undefined {
  const { path, dims, decode, field, reductions, coarsen } = recipe;
  const parts = path.split('/').slice(1);
  const fields = parts.map((_, i) => fieldAt(sdl, `/${parts.slice(0, i + 1).join('/')}`));
  const array = fields.at(-1);
  if (array === undefined || fields.includes(undefined) || field !== undefined) return undefined;
  const isStored = array.args.every(({ type }) => type === 'IndexSelection');
  if (array.args.length !== dims.length || (!decode && !isStored)) return undefined;
  // Index coordinates and cell boundaries are only reduced along all dimensions.
  const isSimple = array.type.startsWith('Simple');
  if (isSimple && (coarsen !== undefined || reductions.some(({ over }) => over.length !== dims.length)))
    return undefined;
  const nameOf = (key: string): string => array.args[dims.findIndex((dim) => dim.key === key)]?.name ?? key;
  const selections = dims.flatMap(({ key, pick }) => {
    if (pick === 'all') return [];
    const by = 'index' in pick ? `index: ${pick.index}` : `slice: { start: ${pick.span[0]}, stop: ${pick.span[1]} }`; // prettier-ignore
    return [`${nameOf(key)}: { ${by} }`];
  });
  const opened = [
    `query ${name}`,
    ...fields.slice(0, -1).map((group) => group?.name ?? ''),
    `${array.name}${selections.length === 0 ? '' : `(${selections.join(', ')})`}`,
    ...reductions.map(({ by, over }) => `reduce(by: ${by}${isSimple ? '' : `, over: [${over.map(nameOf).join(', ')}]`})`), // prettier-ignore
  ];
  if (coarsen !== undefined) {
    const sizes = Object.entries(coarsen.to).map(([key, size]) => `${nameOf(key)}: ${size}`);
    if (coarsen.method !== undefined) sizes.push(`_method: ${coarsen.method}`);
    opened.push(`coarsen(${sizes.join(', ')})`);
  }
  const lines = opened.map((text, depth) => `${'  '.repeat(depth)}${text} {`);
  const indent = '  '.repeat(opened.length);
  lines.push(`${indent}shape`, `${indent}values`, `${indent}coordinates { _all { name units values } }`);
  for (let depth = opened.length - 1; depth >= 0; depth--) lines.push(`${'  '.repeat(depth)}}`);
  return `${lines.join('\n')}\n`;
}

/** The field whose directive `@zarr` has this path. */
function fieldAt(sdl: string, path: string): TypedField | undefined {
  const mark = `path: ${JSON.stringify(path)})`;
  for (let at = sdl.indexOf(mark); at >= 0; at = sdl.indexOf(mark, at + 1)) {
    const end = sdl.indexOf('\n', at);
    const before = sdl.slice(0, end === -1 ? sdl.length : end);
    // The result type follows the arguments, whose list ends in a separate line if they have descriptions.
    const line = before.slice(before.lastIndexOf('\n') + 1);
    // Descriptions, which contain data of the store, end in a full stop.
    if (!line.endsWith(mark)) continue;
    const single = /^ {2}(\w+)(?:\(([^"]*)\))?: (\w+)/.exec(line);
    const listed = /^ {2}\): (\w+)/.exec(line);
    if (single?.[1] !== undefined) return { name: single[1], type: single[3] ?? '', args: argumentsIn(single[2] ?? '') }; // prettier-ignore
    if (listed === null) continue;
    const opening = [...before.slice(-MAX_FIELD).matchAll(/\n {2}(\w+)\(\n/g)].at(-1);
    if (opening?.[1] === undefined) continue;
    const args = before.slice(-MAX_FIELD).slice(opening.index);
    return { name: opening[1], type: listed[1] ?? '', args: argumentsIn(args) };
  }
  return undefined;
}

/** Longest text of one field with its arguments. */
const MAX_FIELD = 100_000;

function argumentsIn(text: string): { name: string; type: string }[] {
  return [...text.matchAll(/(?:^|\n {4}|, )(\w+): (\w+Selection)\b/g)].map(([, name = '', type = '']) => ({ name, type })); // prettier-ignore
}
