export type Json = Record<string, unknown>;

/** A document with the single operation `POST /jobs`. */
export const documentOf = (operation: Json, rest: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Bench', version: '1.0.0' },
  paths: { '/jobs': { post: { responses: {}, ...operation } } },
  ...rest,
});

const json = (schema: unknown): Json => ({ 'application/json': { schema } });

/** A document whose operation accepts a body of this schema. */
export const taking = (schema: unknown, schemas: Json = {}): Json =>
  documentOf({ requestBody: { content: json(schema) } }, { components: { schemas } });

/** A document whose operation returns 200 with this schema. */
export const answering = (schema: unknown, schemas: Json = {}): Json =>
  documentOf(
    { responses: { 200: { description: 'Done', content: json(schema) } } },
    { components: { schemas } },
  );

export const operation = 'POST /jobs';
export const body = `${operation} › request › application/json`;
export const answer = `${operation} › 200 › application/json`;

/** An object schema with optional properties by default. */
export const object = (properties: Json, more: Json = {}): Json => ({
  type: 'object',
  properties,
  ...more,
});

export const closed = { additionalProperties: false };

export const lines = (changes: { path: string; change: string }[]): string[] =>
  changes.map(({ path, change }) => `${path}: ${change}`);
