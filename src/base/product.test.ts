import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { product } from './product.ts';

it('takes the version of this build from the package', () => {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  ) as { version: string };
  expect(product.version).toBe(manifest.version);
  expect(product.version).toMatch(/^\d+\.\d+\.\d+/);
});

it('names the contract and the API apart from the build', () => {
  expect(product).toMatchObject({ name: 'Busbar', contract: '1.6.3', api: 'v1' });
});
