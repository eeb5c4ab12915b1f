// Renders docs/reference and the clients from the operations table, the reference and
// the schema of gateway projects from their tables, and what the gateway promises from its rules and their
// tests.
// Refuses to break the published API.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clientFiles } from './clients/generated-files.mjs';
import { loadSource, root } from './load-source.mjs';
import { readTestFiles } from './rule-tests.mjs';

const reference = join(root, 'docs', 'reference');
const acceptBreaking = process.argv.includes('--accept-breaking');

const { operations } = await loadSource('src/operations/registry.ts');
const { renderOpenApi } = await loadSource('src/operations/render/openapi.ts');
const { renderReference } = await loadSource('src/operations/render/reference.ts');
const { product } = await loadSource('src/base/product.ts');
const { publishedFiles } = await loadSource('src/gateway/project/published-files.ts');
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

await mkdir(reference, { recursive: true });
await writeFile(join(reference, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
for (const [name, text] of Object.entries(renderReference(operations))) {
  await writeFile(join(reference, name), text);
}
for (const [path, text] of Object.entries({ ...publishedFiles(), ...clientFiles(document) })) {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
const tests = (await readTestFiles(root)).flatMap(ruleTestsIn);
await writeFile(join(reference, 'gateway-rules.md'), rulePage(tests));
