import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/registry.ts';
import { repository } from '../support/workbench.ts';

/** Records with fewer fields are equal by chance. */
const fewestFields = 4;

const keyOf = (fields: readonly string[]): string => [...fields].sort().join(' ');

/** The fields of every object in responses. */
const published = new Set<string>();

const collect = (schema: unknown): void => {
  if (typeof schema !== 'object' || schema === null) return;
  if ('properties' in schema) published.add(keyOf(Object.keys(schema.properties as object)));
  for (const part of Object.values(schema)) collect(part);
};

for (const { result } of operations) collect(result);

/** The interfaces declared by hand in a source file, with their fields. */
const interfacesIn = (text: string): { name: string; fields: string[] }[] =>
  [...text.matchAll(/^(?:export )?interface (\w+)[^\n]*\{\n([\s\S]*?)^\}/gm)].map(
    ([, name = '', body = '']) => ({
      name,
      fields: [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map(([, field = '']) => field),
    }),
  );

describe('a record that operations answer with', () => {
  it('is recognised by its fields', () => {
    const [declared] = interfacesIn(
      'export interface Copy {\n  readonly b: 1;\n  /** Why. */\n  readonly a?: 2;\n}\n',
    );
    expect(declared).toEqual({ name: 'Copy', fields: ['b', 'a'] });
    expect(published.size).toBeGreaterThan(50);
  });

  it('is declared once, and not as an interface too', () => {
    const root = join(repository, 'src');
    const repeated = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.ts$/.test(path))
      .flatMap((path) => interfacesIn(readFileSync(join(root, path), 'utf8')))
      .filter(({ fields }) => fields.length >= fewestFields && published.has(keyOf(fields)));
    expect(repeated.map(({ name }) => name)).toEqual([]);
  });
});
