import { defineConfig } from 'vite';

// Keeps the `Host` header of the page, so that links to tiles have the same origin.
const gateway = { target: 'http://127.0.0.1:4000', changeOrigin: false };

// `npx vite examples/dashboard-urql --config examples/vite.config.ts` with a gateway on port 4000.
export default defineConfig({
  // In this repository, use the client's sources.
  resolve: { conditions: ['zarrql-source', 'module', 'browser', 'development|production'] },
  build: { target: 'es2022' },
  server: { proxy: { '/graphql': gateway, '/tiles': gateway, '/files': gateway, '/zarr': gateway } },
});
