import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTestFiles } from '../../scripts/rule-tests.mjs';
import { rulePage, ruleTestsIn } from '../../src/gateway/engine/testing/rule-page.ts';
import { rules } from '../../src/gateway/engine/testing/rules.ts';
import { repository } from '../support/workbench.ts';

describe('the rules of the gateway', async () => {
  const files = await readTestFiles(repository);
  const tests = files.flatMap(ruleTestsIn);

  it('are all shown by a test', () => {
    const shown = new Set(tests.map(({ rule }) => rule));
    expect(Object.keys(rules).filter((id) => !shown.has(id))).toEqual([]);
  });

  it('are all that tests name', () => {
    expect(tests.filter(({ rule }) => !(rule in rules))).toEqual([]);
  });

  it('are found wherever a test names them', () => {
    const named = files.flatMap(({ text }) => [...text.matchAll(/\brule\(/g)]);
    expect(named).toHaveLength(tests.length);
  });

  it('are published with their tests; npm run generate writes it', () => {
    const published = readFileSync(join(repository, 'docs/reference/gateway-rules.md'), 'utf8');
    expect(published).toBe(rulePage(tests));
  });
});
