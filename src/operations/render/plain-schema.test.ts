import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { named } from '../../base/schema/schemas.ts';
import { plainSchema } from './plain-schema.ts';

it('leaves the JSON Schema and drops the names, however deep they lie', () => {
  const inner = named('Inner', Type.Integer({ minimum: 1 }));
  const outer = named('Outer', Type.Object({ list: Type.Array(inner) }, { description: 'Outer' }));
  expect(plainSchema(outer)).toEqual({
    type: 'object',
    description: 'Outer',
    required: ['list'],
    properties: { list: { type: 'array', items: { type: 'integer', minimum: 1 } } },
  });
});

it('gives plain data that can be changed without changing the schema', () => {
  const schema = Type.Enum(['a', 'b'], { default: 'a' });
  const plain = plainSchema(schema);
  expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
  expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
  (plain.enum as string[]).push('c');
  expect(schema.enum).toEqual(['a', 'b']);
});
