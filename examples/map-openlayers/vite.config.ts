import { defineConfig } from 'vite';

// The gateway sees the host of the page, so that links to tiles are on the same origin.
const gateway = { target: 'http://127.0.0.1:4000', changeOrigin: false };

export default defineConfig({
  // In this repository, use the client's sources.
  resolve: { conditions: ['zarrql-source', 'module', 'browser', 'development|production'] },
  build: { target: 'es2022' },
  // `npx vite examples/map-...` with a gateway on port 4000.
  server: { proxy: { '/graphql': gateway, '/tiles': gateway, '/files': gateway } },
});
