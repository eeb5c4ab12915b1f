// Renders the types and the table of operations of the TypeScript client from the OpenAPI document.

import { operationsOf } from './document.mjs';
import { indent, key, typeOf } from './typescript-types.mjs';

/** A query accepts a single value in place of a list. */
const parameterType = ({ place, schema }) =>
  place === 'query' && schema.type === 'array'
    ? `${typeOf(schema.items)} | ${typeOf(schema)}`
    : typeOf(schema);

const comment = (text) => `/** ${text.replaceAll('*/', '* /')} */`;

const parameterLines = (parameter) => [
  ...(parameter.description ? [comment(parameter.description)] : []),
  `${key(parameter.name)}${parameter.isRequired ? '' : '?'}: ${parameterType(parameter)};`,
];

const inputType = ({ inPath, inQuery, body }) => {
  const parameters = [...inPath, ...inQuery];
  const parts = [
    ...(parameters.length > 0
      ? [`{\n  ${parameters.flatMap(parameterLines).map(indent).join('\n  ')}\n}`]
      : []),
    ...(body ? [typeOf(body)] : []),
  ];
  return parts.length > 0 ? parts.join(' & ') : 'Record<never, never>';
};

const answerType = ({ kind, answer }) => {
  if (kind === 'bytes') return 'Uint8Array';
  return kind === 'json' ? typeOf(answer) : 'string';
};

const names = (parameters) => `[${parameters.map(({ name }) => `'${name}'`).join(', ')}]`;

const endpointOf = ({ method, path, inQuery, body }) => {
  const query = inQuery.length > 0 ? `, query: ${names(inQuery)}` : '';
  return `{ method: '${method}', path: '${path}'${query}${body ? ', hasBody: true' : ''} }`;
};

export const renderTypescriptClient = (document) => {
  const operations = operationsOf(document);
  for (const { id, inPath, inQuery, inBody } of operations) {
    const all = [...inPath, ...inQuery, ...inBody].map(({ name }) => name);
    if (new Set(all).size !== all.length) throw new Error(`${id} takes a name in two places`);
  }
  return [
    '// Generated from the OpenAPI document by npm run generate. Do not edit.',
    '',
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [
      `export type ${name} = ${typeOf(schema)};`,
      '',
    ]),
    '/** Input and output of each operation of the API, by its id. */',
    'export interface Operations {',
    ...operations.flatMap((operation) => [
      `  ${comment(operation.summary)}`,
      `  '${operation.id}': {`,
      `    input: ${indent(indent(inputType(operation)))};`,
      `    answer: ${indent(indent(answerType(operation)))};`,
      '  };',
    ]),
    '}',
    '',
    '/** Where each operation is served, and how its input is sent; remaining fields are the body. */',
    'export const endpoints = {',
    ...operations.map((operation) => `  '${operation.id}': ${endpointOf(operation)},`),
    '} as const satisfies Record<keyof Operations, object>;',
    '',
  ].join('\n');
};
