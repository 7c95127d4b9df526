/** GraphiQL as one page that loads nothing from elsewhere. Nine megabytes, so it is loaded when somebody opens it. */
import type { GraphiQLOptions } from 'graphql-yoga';
import type { GraphiqlOptions } from './options.js';

const defaultQuery = `# Every store, and the first nodes in it. Ctrl-Enter runs the query, Ctrl-Space proposes fields.
{
  stores {
    nodes {
      name
      description
      search(first: 20) {
        nodes {
          path
          kind
          ... on ZarrArray { dtype { name } shape }
        }
      }
    }
  }
}

# Values come from a slice of an array, here the first two rows and columns of a plane:
#
# { store(name: "...") { array(path: "...") {
#     slice(select: { text: "0, :2, :2" }) { shape values estimate { chunks outputBytes } }
# } } }
`;

export function yogaGraphiqlOptions(options: false | GraphiqlOptions): GraphiQLOptions | false {
  if (options === false) return false;
  return { title: options.title ?? 'zarrql', defaultQuery: options.defaultQuery ?? defaultQuery };
}

/** Renders the page once; the options are always the same. */
export function createGraphiqlRenderer(): (options: GraphiQLOptions) => Promise<Uint8Array<ArrayBuffer>> {
  let page: Promise<Uint8Array<ArrayBuffer>> | undefined;
  const render = async (options: GraphiQLOptions) => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
    return new Uint8Array(Buffer.from(renderGraphiQL(options), 'utf8'));
  };
  return (options) => (page ??= render(options));
}
