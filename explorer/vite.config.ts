/** Builds the explorer into dist/explorer. Development server: `npx vite explorer`, with a gateway on port 4000. */
import { defineConfig } from 'vite';

const gateway = 'http://127.0.0.1:4000';

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses also work below the prefix of a proxy.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // In this repository, use the client's sources.
  resolve: { conditions: ['zarrql-source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    outDir: '../dist/explorer',
    emptyOutDir: true,
    // The content security policy allows no data URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/graphql': gateway, '/files': gateway } },
});
