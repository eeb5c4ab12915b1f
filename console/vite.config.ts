import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Served below any path of a reverse proxy.
  base: './',
  publicDir: 'static',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // The content policy wants every script in a file of its own, however small.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All pages are fetched soon after the first: their styles in one file compress better than apart.
    cssCodeSplit: false,
    rolldownOptions: {
      // What several pages use comes in one file: many small ones would compress worse.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
    },
  },
  worker: { format: 'es' },
});
