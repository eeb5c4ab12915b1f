import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { checkFiles } from '../../scripts/reference/check-page.ts';
import { checkForms, parseChecks } from '../../src/check/parse-check.ts';
import { readCheckFile } from '../../src/check/read-check-file.ts';
import { repository } from '../support/workbench.ts';

const files = checkFiles();
const example = readFileSync(join(repository, 'examples', 'bus.checks.json'));

describe('what is published about checks', () => {
  it.each(Object.entries(files))(
    '%s is committed as it is rendered; npm run generate writes it',
    (path, text) => {
      expect(readFileSync(join(repository, path), 'utf8')).toBe(text);
    },
  );

  it('has an example that the schema and the parser accept', () => {
    const schema = Compile(JSON.parse(files['schemas/checks.schema.json'] ?? ''));
    const content = JSON.parse(example.toString());
    expect(schema.Check(content)).toBe(true);
    expect(schema.Check({ ...content, unknown: 1 })).toBe(false);
    const { checks } = readCheckFile('bus.checks.json', example);
    expect(parseChecks(checks)).toHaveLength(checks.length);
  });

  it.each(Object.entries(checkForms))(
    'has an example of %s that is one',
    (kind, { example: text }) => {
      const codec = { profile: '1A' as const, data_id: 291 };
      const entry = kind === 'e2e' ? { check: text, codec } : { check: text };
      expect(parseChecks([entry])).toMatchObject([{ rule: { kind } }]);
    },
  );
});
