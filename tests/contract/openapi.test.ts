import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { clientFiles } from '../../scripts/clients/generated-files.mjs';
import { findBreakingChanges } from '../../scripts/openapi/compare.ts';
import { renderReference } from '../../scripts/reference/operation-pages.ts';
import { product } from '../../src/base/product.ts';
import { operations } from '../../src/operations/registry.ts';
import { renderOpenApi } from '../../src/operations/render/openapi.ts';
import { repository } from '../support/workbench.ts';

const read = (name: string): string =>
  readFileSync(join(repository, 'docs', 'reference', name), 'utf8');

const git = (...args: string[]): string | null => {
  const { status, stdout } = spawnSync('git', args, { cwd: repository, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
};

/** The document of the latest release in this clone; null before the first. */
const releasedDocument = (): string | null => {
  const tag = git('describe', '--tags', '--abbrev=0', '--match=v*');
  return tag === null ? null : git('show', `${tag}:docs/reference/openapi.json`);
};

const released = releasedDocument();
const rendered = renderOpenApi(operations, product);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(rendered)));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it.runIf(released !== null)('breaks nothing that the latest release had', () => {
    expect(findBreakingChanges(JSON.parse(released ?? '{}'), rendered)).toEqual([]);
  });

  it('is committed as it is rendered; npm run generate writes it', () => {
    expect(JSON.parse(read('openapi.json'))).toEqual(JSON.parse(JSON.stringify(rendered)));
  });

  it('would not let a removed path, field, value or code pass', () => {
    const published = JSON.parse(read('openapi.json'));
    const { paths, components } = structuredClone(published);
    delete paths['/api/v1/jobs'];
    delete components.schemas.Health.properties.daemon;
    components.schemas.Job.properties.state.enum.pop();
    delete paths['/api/v1/execute'].post.responses['403'];
    const breaking = findBreakingChanges(published, { ...published, paths, components });
    expect(breaking.map(({ path, change }) => `${path}: ${change}`)).toEqual(
      expect.arrayContaining([
        '/api/v1/jobs: removed',
        '/api/v1/health › GET › 200 › application/json › daemon: removed',
        expect.stringMatching(/^.*: value "cancelled" removed$/),
        '/api/v1/execute › POST › 403: removed',
      ]),
    );
  });
});

describe('the reference', () => {
  it.each(Object.entries(renderReference(operations)))(
    '%s is committed as it is rendered; npm run generate writes it',
    (name, text) => {
      expect(read(name)).toBe(text);
    },
  );
});

describe('the clients', () => {
  it.each(Object.entries(clientFiles(rendered)))(
    '%s is committed as it is rendered; npm run generate writes it',
    (path, text) => {
      expect(readFileSync(join(repository, path), 'utf8')).toBe(text);
    },
  );
});
