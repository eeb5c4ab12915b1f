import { layoutSchema, layoutSchemas } from '../../console/src/layouts/layout-schema.ts';
import type { JsonSchema } from '../../src/base/json-schema/json-schema.ts';
import { publishedSchema, schemaDialect } from '../../src/base/json-schema/published-schema.ts';

/** Schema of the layouts of the console. */
export const layoutFile = (): Readonly<Record<string, string>> => {
  const content = publishedSchema(layoutSchema) as object;
  const schema = {
    ...{ $schema: schemaDialect, title: 'Layout of the console', ...content },
    $defs: publishedSchema(layoutSchemas as JsonSchema),
  };
  return { 'schemas/layout.schema.json': `${JSON.stringify(schema, null, 2)}\n` };
};
