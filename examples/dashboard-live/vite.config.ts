import { defineConfig } from 'vite';

export default defineConfig({
  // In this repository, use the client's sources.
  resolve: { conditions: ['zarrql-source', 'module', 'browser', 'development|production'] },
  // `npx vite examples/dashboard-...` with a gateway on port 4000.
  server: { proxy: { '/graphql': 'http://127.0.0.1:4000' } },
});
