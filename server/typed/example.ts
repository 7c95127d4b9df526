/** A first query for the schema of a store. */
import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import { zarrOf } from './describe.js';

const HINTS = `# Variables and groups of the store are fields, dimensions are arguments. Ctrl-Space completes, Ctrl-Enter runs.
`;

/** The shape of an array; undefined if it is unknown. */
export type ShapeOf = (path: string) => Promise<readonly number[] | undefined>;

/** Reads a few values of the variable with the most dimensions, from its middle: the edges of maps are often missing. */
export async function exampleOf(schema: GraphQLSchema, shapeOf: ShapeOf): Promise<string> {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const variables = fields.filter(({ type, name }) => isObjectType(type) && type.name.startsWith('Numbers_') && !name.startsWith('_')); // prettier-ignore
  const [first] = variables.toSorted((a, b) => b.args.length - a.args.length);
  if (first === undefined) return `${HINTS}\n{\n  _name\n  _group { attributes }\n}\n`;
  const { path = '/' } = zarrOf(first);
  return `${HINTS}
query ${/^[A-Za-z_]\w*$/.test(first.name) ? `First_${first.name}` : 'First'} {
  ${first.name}${selectionsOf(first, await shapeOf(path))} {
    shape
    values(nonFinite: NULL)
    coordinates { _all { name units values } }
  }
}
`;
}

/** One position along each dimension but the last two, and four along these. */
function selectionsOf({ args }: GraphQLField<unknown, unknown>, shape: readonly number[] = []): string {
  if (args.length === 0) return '';
  const chosen = args.map(({ name }, d) => {
    const middle = Math.floor((shape[d] ?? 0) / 2);
    if (d < args.length - 2) return `${name}: { index: ${middle} }`;
    const start = Math.max(0, middle - 2);
    return `${name}: { slice: { start: ${start}, stop: ${start + 4} } }`;
  });
  return `(${chosen.join(', ')})`;
}
