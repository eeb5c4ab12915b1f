import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { named } from '../../base/schema/schemas.ts';
import { Components } from './openapi.ts';

const Inner = named('Inner', Type.Integer({ minimum: 1 }));
const Outer = named('Outer', Type.Object({ one: Inner, many: Type.Array(Inner) }));

const toInner = { $ref: '#/components/schemas/Inner' };

describe('Components', () => {
  it('refers to a schema with a name and keeps it once', () => {
    const components = new Components();
    expect(components.reference(Inner)).toEqual(toInner);
    expect(components.reference(Inner)).toEqual(toInner);
    expect(components.schemas).toEqual({ Inner: { type: 'integer', minimum: 1 } });
  });

  it('leaves a schema without a name where it is, with references inside', () => {
    const components = new Components();
    const schema = Type.Object({ inner: Inner, text: Type.String() });
    expect(components.reference(schema)).toMatchObject({
      type: 'object',
      properties: { inner: toInner, text: { type: 'string' } },
    });
    expect(Object.keys(components.schemas)).toEqual(['Inner']);
  });

  it('refers from one named schema to another', () => {
    const components = new Components();
    components.reference(Outer);
    expect(components.schemas).toMatchObject({
      Outer: { properties: { one: toInner, many: { type: 'array', items: toInner } } },
    });
  });

  it('keeps the alternatives of a union', () => {
    const components = new Components();
    expect(components.reference(Type.Union([Inner, Type.Null()]))).toEqual({
      anyOf: [toInner, { type: 'null' }],
    });
  });

  it('lists its schemas by name, whatever order they were met in', () => {
    const components = new Components();
    for (const name of ['Pump', 'Axle', 'Valve', 'Bolt']) {
      components.reference(named(name, Type.String()));
    }
    expect(Object.keys(components.schemas)).toEqual(['Axle', 'Bolt', 'Pump', 'Valve']);
  });

  it('leaves no name inside the document, where it would change what references mean', () => {
    const components = new Components();
    const used = components.reference(Type.Array(Outer));
    expect(JSON.stringify([used, components.schemas])).not.toContain('$id');
  });

  it('shares a response under its name', () => {
    const components = new Components();
    const gone = { description: 'Gone' };
    expect(components.response('gone', gone)).toEqual({ $ref: '#/components/responses/gone' });
    expect(components.responses).toEqual({ gone });
  });
});
