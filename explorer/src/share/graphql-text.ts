/** Generates a readable GraphQL document for the visible values. */
import { nameOf, operationsOf, parentOf, type Pick, type Recipe } from '../array/recipe.js';

/** @param name of the operation */
export function graphqlText(recipe: Recipe, name = 'Values'): string {
  const { store, path, decode } = recipe;
  const lines: string[] = [];
  const closing: string[] = [];
  const openField = (text: string) => {
    lines.push(`${'  '.repeat(closing.length)}${text} {`);
    closing.push('}');
  };
  openField(`query ${name}`);
  openField(`store(name: ${quote(store)})`);
  if (decode) {
    openField(parentOf(path) === '/' ? 'dataset' : `dataset(path: ${quote(parentOf(path))})`);
    openField(`variable(name: ${quote(nameOf(path))})`);
    lines.push(`${'  '.repeat(closing.length)}units`);
  } else openField(`array(path: ${quote(path)})`);
  openField(`slice${selectText(recipe)}`);
  if (recipe.field !== undefined) openField(`field(name: ${quote(recipe.field)})`);
  for (const step of operationsOf(recipe)) {
    if ('reduce' in step)
      openField(`reduce(by: ${step.reduce.by}, over: ${JSON.stringify(step.reduce.over)})`);
    else {
      const { to, method } = step.coarsen;
      const sizes = to.map(({ dim, size }) => `{ dim: ${quote(dim)}, size: ${size} }`).join(', ');
      openField(`coarsen(to: [${sizes}]${method === undefined ? '' : `, method: ${method}`})`);
    }
  }
  const indent = '  '.repeat(closing.length);
  lines.push(`${indent}shape`, `${indent}values`, `${indent}coordinates { name units values }`);
  while (closing.length > 0) lines.push(`${'  '.repeat(closing.length - 1)}${closing.pop() ?? ''}`);
  return `${lines.join('\n')}\n`;
}

function selectText({ dims, areNamed }: Recipe): string {
  if (dims.every(({ pick }) => pick === 'all')) return '';
  if (!areNamed) return `(select: { text: ${quote(dims.map(({ pick }) => numpyText(pick)).join(', '))} })`;
  const named = dims.flatMap(({ key, pick }) =>
    pick === 'all' ? [] : [`{ dim: ${quote(key)}, by: ${byText(pick)} }`],
  );
  return `(select: { named: [${named.join(', ')}] })`;
}

function byText(pick: Exclude<Pick, 'all'>): string {
  return 'index' in pick
    ? `{ index: ${pick.index} }`
    : `{ slice: { start: ${pick.span[0]}, stop: ${pick.span[1]} } }`;
}

/** A selection of one dimension in NumPy's notation. */
export function numpyText(pick: Pick): string {
  if (pick === 'all') return ':';
  return 'index' in pick ? String(pick.index) : `${pick.span[0]}:${pick.span[1]}`;
}

/** A string literal of GraphQL, whose syntax includes that of JSON. */
function quote(text: string): string {
  return JSON.stringify(text);
}
