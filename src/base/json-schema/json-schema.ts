/** Keywords of the JSON Schemas that operations, projects and the OpenAPI document use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly patternProperties?: Schemas;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** The form of a text or union in words: "must be" goes before it. */
  readonly 'x-form'?: string;
  /** The same as a whole, "must be …", in projects. */
  readonly 'x-rule'?: string;
  /** How the value is written on a command line. */
  readonly 'x-hint'?: string;
  /** An array whose items are separated by commas on a command line. */
  readonly 'x-list'?: boolean;
  /** An integer that is usually written in hex: `0x1F` and `1Fh` are accepted as text. */
  readonly 'x-hex'?: boolean;
  /** A bit rate: `500k` and `2M` are accepted as text. */
  readonly 'x-bit-rate'?: boolean;
  /** A path for which `-` means standard input. */
  readonly 'x-stdin'?: boolean;
  /** Field that selects the branch of a union. */
  readonly 'x-variant'?: string;
  /** Table of a project that a reference points into. */
  readonly 'x-table'?: string;
}

/** Schemas by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

export interface SchemaField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

export type SimpleKind = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'any';

/** What a schema describes, regardless of the keywords that say so. */
export type SchemaShape =
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'choice'; readonly values: readonly unknown[] }
  | { readonly kind: 'union'; readonly branches: readonly JsonSchema[] }
  | { readonly kind: 'list'; readonly items: JsonSchema }
  | { readonly kind: 'object'; readonly fields: readonly SchemaField[] }
  | { readonly kind: 'map'; readonly values: JsonSchema }
  | { readonly kind: SimpleKind };

const simpleKinds: readonly string[] = ['string', 'integer', 'number', 'boolean', 'null'];

const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): SchemaField[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }));

export const shapeOf = (schema: JsonSchema): SchemaShape => {
  const { type, properties, additionalProperties: others } = schema;
  if (schema.$ref !== undefined) return { kind: 'reference', name: nameOfReference(schema.$ref) };
  if (schema.const !== undefined) return { kind: 'choice', values: [schema.const] };
  if (schema.enum) return { kind: 'choice', values: schema.enum };
  // Next to properties, a union only says which of them go together.
  if (properties && Object.keys(properties).length > 0) {
    return { kind: 'object', fields: fieldsOf(schema) };
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return { kind: 'union', branches };
  if (type === 'array') return { kind: 'list', items: schema.items ?? {} };
  if (type === 'object') {
    const [values = typeof others === 'object' ? others : {}] = Object.values(
      schema.patternProperties ?? {},
    );
    return { kind: 'map', values };
  }
  return { kind: simpleKinds.includes(type ?? '') ? (type as SimpleKind) : 'any' };
};

export const nameOfReference = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** The schema that a reference points to; the schema itself if it is none or points nowhere. */
export const resolveSchema = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  (schema.$ref === undefined ? undefined : schemas[nameOfReference(schema.$ref)]) ?? schema;
