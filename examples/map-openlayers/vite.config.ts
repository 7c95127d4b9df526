import { defineConfig } from 'vite';

const gateway = 'http://127.0.0.1:4000';

export default defineConfig({
  // In this repository, use the client's sources.
  resolve: { conditions: ['zarrql-source', 'module', 'browser', 'development|production'] },
  build: { target: 'es2022' },
  // `npx vite examples/map-...` with a gateway on port 4000.
  server: { proxy: { '/graphql': gateway, '/tiles': gateway, '/files': gateway } },
});
