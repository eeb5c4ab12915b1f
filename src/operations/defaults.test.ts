import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { defaultsOf, withDefault } from './defaults.ts';
import { operations } from './registry.ts';

describe('defaults of parameters', () => {
  it('are published, and filled in for those that have one', () => {
    const limit = withDefault(Type.Integer({ minimum: 1 }), 10);
    expect(JSON.parse(JSON.stringify(limit))).toEqual({ type: 'integer', minimum: 1, default: 10 });
    const parameters = Type.Object({ limit, name: Type.Optional(Type.String()) });
    expect(parameters.required).toBeUndefined();
    expect(defaultsOf(parameters)).toEqual({ limit: 10 });
  });

  it('leave the schema that they are added to alone', () => {
    const schema = Type.Boolean();
    withDefault(schema, true);
    expect(schema).not.toHaveProperty('default');
  });

  it('are declared by withDefault alone, so that handlers know them from their types', () => {
    const declared = operations.flatMap(({ id, parameters }) =>
      Object.entries(parameters.properties).flatMap(([name, schema]) => {
        const keys = Object.getOwnPropertyNames(schema);
        // It appends the default; one among the schema options comes earlier.
        return keys.includes('default') ? [[`${id} ${name}`, keys.at(-1)]] : [];
      }),
    );
    expect(declared.length).toBeGreaterThan(30);
    expect(declared.filter(([, last]) => last !== 'default')).toEqual([]);
  });
});
