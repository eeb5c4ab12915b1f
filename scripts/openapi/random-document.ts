import fc from 'fast-check';
import type { Json } from './facts.ts';

const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo'];
const someWords = fc.uniqueArray(fc.constantFrom(...words), { minLength: 2, maxLength: 4 });

const named = <T>(value: fc.Arbitrary<T>, maxKeys = 4): fc.Arbitrary<Record<string, T>> =>
  fc.dictionary(fc.constantFrom(...words), value, { minKeys: 1, maxKeys, noNullPrototype: true });

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const objectOf = (properties: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .record({ properties, isClosed: fc.boolean(), areRequired: fc.array(fc.boolean()) })
    .map(({ properties, isClosed, areRequired }) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter((_, at) => areRequired[at]),
      ...(isClosed ? { additionalProperties: false } : {}),
    }));

const { schema } = fc.letrec<{ schema: Json; object: Json }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'xsmall', withCrossShrink: true },
    someWords.map((values) => ({ type: 'string', enum: values })),
    someWords.map((values) => ({ anyOf: values.map((value) => ({ const: value })) })),
    fc.constantFrom<Json>(
      { type: 'boolean' },
      { type: ['string', 'null'], maxLength: 32 },
      { type: 'integer', minimum: 0, maximum: 255, default: 1 },
      {},
      ref('Shared'),
      ref('Node'),
    ),
    tie('object'),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc.tuple(tie('object'), tie('object')).map((members) => ({
      oneOf: members.map((member, at) => ({
        allOf: [member, { properties: { kind: { const: at } }, required: ['kind'] }],
      })),
    })),
  ),
  object: objectOf(named(tie('schema'))),
}));

const content = schema.map((of) => ({ 'application/json': { schema: of }, 'text/csv': {} }));

const response = fc.record({
  description: fc.constant('An answer'),
  headers: named(fc.constant({ schema: { type: 'string' } }), 2),
  content,
  'x-error-codes': someWords,
});

const operation = fc.record(
  {
    operationId: fc.constantFrom(...words),
    parameters: someWords.map((names) =>
      names.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    ),
    requestBody: content.map((of) => ({ content: of })),
    responses: fc.dictionary(fc.constantFrom('200', '404', 'default'), response, {
      minKeys: 1,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: ['operationId', 'parameters', 'responses'], noNullPrototype: true },
);

export const randomDocument: fc.Arbitrary<Json> = fc
  .record({
    paths: named(operation, 2),
    shared: objectOf(named(schema)),
  })
  .map(({ paths, shared }) => ({
    openapi: '3.1.0',
    info: { title: 'Random', version: '1.0.0' },
    paths: Object.fromEntries(Object.entries(paths).map(([name, post]) => [`/${name}`, { post }])),
    components: {
      schemas: {
        Shared: shared,
        Node: {
          type: 'object',
          properties: {
            next: ref('Node'),
            children: { type: 'array', items: ref('Node') },
            state: { enum: words },
          },
        },
      },
    },
  }));
