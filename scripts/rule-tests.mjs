// Finds tests that are tagged with gateway rules.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folders = ['src/gateway', 'tests/scenario', 'tests/interop'];

/** Test files that may show rules, sorted by path. */
export const readTestFiles = async (root) => {
  const paths = [];
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true });
    paths.push(
      ...names.filter((name) => name.endsWith('.test.ts')).map((name) => `${folder}/${name}`),
    );
  }
  return Promise.all(
    paths.sort().map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
  );
};
