import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { layoutFile } from '../../scripts/reference/layout-file.ts';
import { repository } from '../support/workbench.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

describe('what is published about layouts of the console', () => {
  it.each(Object.entries(layoutFile()))('%s is committed as it is rendered', (path, text) => {
    expect(read(path)).toBe(text);
  });

  it('has an example that the schema accepts', () => {
    const schema = Compile(JSON.parse(read('schemas/layout.schema.json')));
    const example = JSON.parse(read('examples/bench.layout.json'));
    expect(schema.Check(example)).toBe(true);
    expect(schema.Check({ ...example, panes: { show: 'clock' } })).toBe(false);
    expect(schema.Check({ ...example, trace: { ...example.trace, time: 'now' } })).toBe(false);
  });
});
