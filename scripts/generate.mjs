// Writes docs/reference, the clients and the schemas of files from their declarations,
// and the rules of the gateway with the tests that prove them. Stops before a change that would
// break the published API.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clientFiles } from './clients/generated-files.mjs';
import { loadSource, root } from './load-source.mjs';
import { readTestFiles } from './rule-tests.mjs';

const reference = join(root, 'docs', 'reference');
const acceptBreaking = process.argv.includes('--accept-breaking');

const { operations } = await loadSource('src/operations/registry.ts');
const { renderOpenApi } = await loadSource('src/operations/render/openapi.ts');
const { renderReference } = await loadSource('scripts/reference/operation-pages.ts');
const { product } = await loadSource('src/base/product.ts');
const { publishedFiles } = await loadSource('scripts/reference/project-files.ts');
const { diagnosticsFiles } = await loadSource('scripts/reference/diagnostics-files.ts');
const { checkFiles } = await loadSource('scripts/reference/check-page.ts');
const { layoutFile } = await loadSource('scripts/reference/layout-file.ts');
const { conditionPage } = await loadSource('scripts/reference/condition-page.ts');
const { rulePage, ruleTestsIn } = await loadSource('src/gateway/engine/testing/rule-page.ts');
const { findBreakingChanges } = await loadSource('scripts/openapi/compare.ts');

const document = renderOpenApi(operations, product);
const published = await readFile(join(reference, 'openapi.json'), 'utf8').catch(() => null);
const breaking = published === null ? [] : findBreakingChanges(JSON.parse(published), document);
if (breaking.length > 0 && !acceptBreaking) {
  console.error('This would break clients of the published API:');
  for (const { path, change } of breaking) console.error(`  ${path}: ${change}`);
  console.error('If that is truly meant: npm run generate -- --accept-breaking');
  process.exit(1);
}

const tests = (await readTestFiles(root)).flatMap(ruleTestsIn);
const pages = {
  ...renderReference(operations),
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'gateway-rules.md': rulePage(tests),
  'conditions.md': conditionPage(),
};
const files = {
  ...Object.fromEntries(
    Object.entries(pages).map(([name, text]) => [`docs/reference/${name}`, text]),
  ),
  ...publishedFiles(),
  ...diagnosticsFiles(),
  ...checkFiles(),
  ...layoutFile(),
  ...clientFiles(document),
};
for (const [path, text] of Object.entries(files)) {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
