import { defineConfig } from 'vitepress';

/** @param {string} text @param {string} link */
const page = (text, link) => ({ text, link });

// The order of https://diataxis.fr: learn, do, look up, understand.
const sidebar = [
  {
    text: 'Tutorials',
    items: [
      page('See your data in five minutes', '/tutorial'),
      page('A dashboard with twenty charts', '/tutorials/dashboard'),
      page('A service that writes', '/tutorials/service'),
    ],
  },
  {
    text: 'How to',
    items: [
      page('Use the command line', '/command-line'),
      page('Deploy', '/deploy'),
      page('Operate', '/operations'),
      page('Embed the gateway', '/embed'),
      page('Read from Python', '/python'),
      page('Move from other servers', '/moving'),
      page('Troubleshoot', '/troubleshooting'),
      {
        text: 'Use other clients',
        link: '/clients/',
        items: [
          page('Schemas of stores', '/clients/store-schemas'),
          page('Relay', '/clients/relay'),
          page('Apollo Client', '/clients/apollo'),
          page('urql', '/clients/urql'),
          page('TanStack Query', '/clients/tanstack-query'),
          page('Code generators', '/clients/codegen'),
          page('graphql-ws', '/clients/graphql-ws'),
          page('graphql-sse', '/clients/graphql-sse'),
          page('Python: gql', '/clients/python-gql'),
          page('Python: sgqlc', '/clients/sgqlc'),
          page('Python: ariadne-codegen', '/clients/ariadne-codegen'),
          page('Go: genqlient', '/clients/genqlient'),
          page('Rust', '/clients/rust'),
          page('Proxies and federation', '/clients/proxies'),
        ],
      },
    ],
  },
  {
    text: 'Reference',
    items: [
      page('GraphQL', '/graphql'),
      page('Schemas of stores', '/store-schemas'),
      page('Datasets', '/datasets'),
      page('Analysis', '/analysis'),
      page('Pictures', '/pictures'),
      page('CBOR', '/cbor'),
      page('SDK', '/sdk'),
      page('Engine', '/engine'),
      page('Stores', '/stores'),
      page('Formats', '/formats'),
      page('Custom codecs', '/codecs'),
      page('Terms', '/glossary'),
      {
        text: 'Generated',
        items: [
          page('Schema', '/reference/schema'),
          page('Options', '/reference/options'),
          page('Commands', '/reference/commands'),
          page('SDK API', '/reference/sdk-api'),
          page('Gateway API', '/reference/gateway-api'),
          page('Engine API', '/reference/engine-api'),
          page('Errors', '/reference/errors'),
          page('Metrics', '/reference/metrics'),
        ],
      },
    ],
  },
  {
    text: 'Explanation',
    items: [
      page('Architecture', '/architecture'),
      page('Caches', '/caches'),
      page('Security', '/security'),
      page('Benchmarks', '/benchmarks'),
      {
        text: 'Decisions',
        items: [
          page('Formats', '/decisions/formats'),
          page('Reading', '/decisions/reading'),
          page('Stores', '/decisions/stores'),
          page('Gateway', '/decisions/gateway'),
          page('SDK', '/decisions/sdk'),
          page('Explorer', '/decisions/explorer'),
          page('Libraries', '/decisions/libraries'),
        ],
      },
      page('Contributing', '/contributing'),
      page('Changes', '/changelog'),
    ],
  },
];

export default defineConfig({
  title: 'zarrql',
  description: 'A GraphQL gateway and typed client SDK over Zarr stores',
  lang: 'en-GB',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: false,
  lastUpdated: false,
  // Relative links and assets: the site can be opened below any path.
  base: process.env['ZARRQL_SITE_BASE'] ?? '/',
  head: [
    [
      'link',
      { rel: 'icon', type: 'image/svg+xml', href: `${process.env['ZARRQL_SITE_BASE'] ?? '/'}icon.svg` },
    ],
  ],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: [
      page('First steps', '/tutorial'),
      page('Deploy', '/deploy'),
      page('GraphQL', '/graphql'),
      page('SDK', '/sdk'),
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    footer: { message: 'MIT licence' },
  },
});
