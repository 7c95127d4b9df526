/** A first query for the schema of a store. */
import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';

const HINTS = `# Variables and groups of the store are fields, dimensions are arguments. Ctrl-Space completes, Ctrl-Enter runs.
`;

/** Reads a few values of the variable with the most dimensions. */
export function exampleOf(schema: GraphQLSchema): string {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const variables = fields.filter(({ type, name }) => isObjectType(type) && type.name.startsWith('Numbers_') && !name.startsWith('_')); // prettier-ignore
  const [first] = variables.toSorted((a, b) => b.args.length - a.args.length);
  if (first === undefined) return `${HINTS}\n{\n  _name\n  _group { attributes }\n}\n`;
  return `${HINTS}
query ${/^[A-Za-z_]\w*$/.test(first.name) ? `First_${first.name}` : 'First'} {
  ${first.name}${selectionsOf(first)} {
    shape
    values(nonFinite: NULL)
    coordinates { _all { name units values } }
  }
}
`;
}

/** One position along each dimension but the last two, and four along these. */
function selectionsOf({ args }: GraphQLField<unknown, unknown>): string {
  if (args.length === 0) return '';
  const chosen = args.map(
    ({ name }, d) => `${name}: { ${d < args.length - 2 ? 'index: 0' : 'slice: { stop: 4 }'} }`,
  );
  return `(${chosen.join(', ')})`;
}
