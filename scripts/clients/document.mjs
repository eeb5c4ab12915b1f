// Operations of the OpenAPI document with parameters and results, for both clients.

const upper = (word) => word.charAt(0).toUpperCase() + word.slice(1);

export const wordsOf = (operationId) => operationId.split(/[.-]/);

export const pascalCase = (text) => text.split(/[._-]/).map(upper).join('');

export const refName = ($ref) => $ref.split('/').at(-1);

const successOf = ({ responses }) =>
  Object.entries(responses).find(([status]) => /^[12]/.test(status)) ?? [];

const kindOf = (status, content) => {
  if (status === '101') return 'websocket';
  if (content['text/event-stream']) return 'stream';
  if (content['application/octet-stream']) return 'bytes';
  return content['application/json'] ? 'json' : 'text';
};

const fieldsOf = (schema) =>
  Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    description: field.description,
    isRequired: schema.required?.includes(name) ?? false,
  }));

export const operationsOf = ({ components, paths }) => {
  const resolve = (schema) =>
    schema?.$ref ? components.schemas[refName(schema.$ref)] : (schema ?? {});
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => operationId)
      .map(([method, operation]) => {
        const parameters = (operation.parameters ?? []).map((parameter) => ({
          name: parameter.name,
          place: parameter.in,
          schema: parameter.schema,
          description: parameter.description,
          isRequired: parameter.required ?? false,
        }));
        const [status, success] = successOf(operation);
        const content = success?.content ?? {};
        const body = operation.requestBody?.content['application/json'].schema;
        return {
          id: operation.operationId,
          method: method.toUpperCase(),
          path,
          summary: operation.summary,
          description: operation.description,
          kind: kindOf(status, content),
          answer: content['application/json']?.schema,
          inPath: parameters.filter(({ place }) => place === 'path'),
          inQuery: parameters.filter(({ place }) => place === 'query'),
          inBody: body ? fieldsOf(resolve(body)) : [],
          body,
          isBodyRequired: operation.requestBody?.required ?? false,
        };
      }),
  );
};
