import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Compiles JSX to calls of h. Workers contain no JSX, and must not load Preact. */
const importsOfJsx: Plugin = {
  name: 'imports-of-jsx',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('.tsx')
      ? `import { h as createNode, Fragment as NodeGroup } from 'preact';${code}`
      : null,
};

/** Parts of uPlot that nothing else needs are removed with it. */
const unusedOfPlots = [
  /^uPlot\.(?:assign|fmtNum|rangeNum|rangeLog|rangeAsinh|orient|sync) *= \w+;$/gm,
  /^\t*uPlot\.(?:join|fmtDate|tzDate|addGap|clipGaps) *= \w+;$/gm,
  /^\tlet paths = uPlot\.paths = \{\n\t\tpoints,\n\t\};$/gm,
  /^\t\(paths\.\w+ *= \w+\);$/gm,
  /(?<=^const (?:linear|points)Path = )(?:linear|points)\(\)/gm,
];

/** The console draws lines itself: the line drawing and unused exports of uPlot are omitted. */
const plotsWithoutLines: Plugin = {
  name: 'plots-without-lines',
  transform: (code, id) => {
    if (!id.endsWith('/uPlot.esm.js')) return null;
    return unusedOfPlots.reduce((left, unused) => {
      if (left.search(unused) < 0) throw new Error(`uPlot has changed: no ${unused}`);
      return left.replaceAll(unused, (text) => (text.endsWith('()') ? 'null' : ''));
    }, code);
  },
};

/** Of the manifest, trace files name the version. */
const versionOfManifest: Plugin = {
  name: 'version-of-manifest',
  load: (id) => {
    if (!id.endsWith('/package.json')) return null;
    const { version } = JSON.parse(readFileSync(id, 'utf8'));
    return JSON.stringify({ version });
  },
};

/** Browsers have no synchronous zlib. */
const inflateOfBrowsers: Plugin = {
  name: 'inflate-of-browsers',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === '../inflate.ts' && importer?.includes('/src/trace/')
      ? join(import.meta.dirname, 'src/trace-files/inflate.ts')
      : null,
};

/** With parsers of the service that only the editor uses. */
const editorParts =
  /\/(?:project-editor|pages\/editor|src\/base\/(?:json|errors)|src\/gateway\/project)\//;
const idViewParts =
  /\/analysis\/|\/src\/e2e\/|\/pages\/trace\/(?:changes|statistics|ignored|narrow)-/;

const apiParts = /\/pages\/api\/(?!api-(?:commands|operations))/;
const layoutParts = /\/layouts\//;
const diagnosticsParts = /\/pages\/diagnostics\//;
const pictureParts = /\/plot\/picture\//;
const traceToolParts = /\/pages\/trace\/tools\//;

/** Parts that are fetched when a user opens them. They take no shared code into their chunks. */
const isOnDemand = (id: string): boolean =>
  [
    ...[editorParts, idViewParts, diagnosticsParts, pictureParts, traceToolParts],
    ...[apiParts, layoutParts],
  ].some((parts) => parts.test(id));

const isOfPages = (id: string): boolean =>
  id.includes('/pages/') && !/\/api-(?:commands|operations)\.ts$/.test(id);

export default defineConfig({
  root: import.meta.dirname,
  // Served below any path of a reverse proxy.
  base: './',
  publicDir: 'static',
  // The output does not depend on where packages are installed.
  resolve: { preserveSymlinks: true },
  // Calls of h compress better than those of the automatic runtime.
  oxc: { jsx: { runtime: 'classic', pragma: 'createNode', pragmaFrag: 'NodeGroup' } },
  plugins: [importsOfJsx, plotsWithoutLines],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // All of them support light-dark() since 2024.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content policy requires every script in a separate file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All pages are fetched soon after the first: their styles in one file compress better than apart.
    cssCodeSplit: false,
    rolldownOptions: {
      // Two chunks, because small files compress worse: shared code first, then the pages, which
      // are fetched soon anyway. Views that few users open are fetched when they do.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: (id) => !isOnDemand(id) && !isOfPages(id), priority: 3 },
            { name: 'pages', test: (id) => !isOnDemand(id), priority: 2 },
            { name: 'editor', test: editorParts, priority: 1 },
            { name: 'id-views', test: idViewParts, priority: 1 },
            { name: 'trace-tools', test: traceToolParts },
            { name: 'api', test: apiParts },
            { name: 'layouts', test: layoutParts },
            { name: 'diagnostics', test: diagnosticsParts },
          ],
        },
      },
    },
  },
  worker: {
    format: 'es',
    plugins: () => [versionOfManifest, inflateOfBrowsers],
  },
});
