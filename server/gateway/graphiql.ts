/** GraphiQL as one page that loads nothing from elsewhere. Nine megabytes, so it is loaded when somebody opens it. */
import type { GraphiQLOptions } from 'graphql-yoga';
import type { GraphiqlOptions } from './options.js';

const defaultQuery = `# Every store, and what lies at its top.
{
  gateway { version }
  stores {
    nodes {
      name
      description
      group { members { nodes { kind path } } }
    }
  }
}
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
