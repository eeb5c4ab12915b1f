// Enforces the import table of .dependency-cruiser.cjs over src/, console/src/ and tests/reference/.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';

const root = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { forbidden, options } = require('../.dependency-cruiser.cjs');
const { consoleLayers, layers, referenceTree } = require('./rooms.cjs');
const rooms = [
  ...layers.flat().map(({ room }) => `src/${room}/`),
  ...consoleLayers.flat().map(({ room }) => `console/src/${room}/`),
  `${referenceTree}/`,
];
const trees = ['src', 'console/src', referenceTree];

/** All modules, and one line per violation of the import table. */
export const checkLayers = async (baseDir = root) => {
  const { output } = await cruise(
    trees.filter((tree) => existsSync(join(baseDir, tree))),
    { ...options, baseDir, ruleSet: { forbidden }, validate: true },
  );
  const modules = output.modules
    .map(({ source }) => source)
    .filter((source) => trees.some((tree) => source.startsWith(`${tree}/`)));
  const homeless = modules.filter((source) => !rooms.some((room) => source.startsWith(room)));
  return {
    modules,
    violations: [
      ...output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
      ...homeless.map((source) => `no-homeless: ${source} is in no room of the house`),
    ],
  };
};

if (process.argv[1]?.endsWith('check-layers.mjs')) {
  const { modules, violations } = await checkLayers();
  for (const violation of violations) console.error(violation);
  if (modules.length === 0) console.error('The import check saw no modules: it checks nothing.');
  console.log(`Import table: ${modules.length} modules, ${violations.length} violations`);
  process.exitCode = modules.length > 0 && violations.length === 0 ? 0 : 1;
}
