/** A TypeBox schema as the plain JSON Schema it stands for, without the names of components. */
export const plainSchema = (schema: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)));
