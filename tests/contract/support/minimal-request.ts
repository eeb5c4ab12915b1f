/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface OperationObject {
  readonly operationId?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const merged = (one: Schema, other: Schema): Schema => {
  const properties: Record<string, Schema> = { ...one.properties };
  for (const [name, schema] of Object.entries(other.properties ?? {})) {
    properties[name] = { ...properties[name], ...schema };
  }
  return {
    ...one,
    ...other,
    ...(one.properties || other.properties ? { properties } : {}),
    required: [...(one.required ?? []), ...(other.required ?? [])],
  };
};

/** Generates requests from an OpenAPI document alone. */
export class RequestMaker {
  readonly #document: OpenApi;

  constructor(document: OpenApi) {
    this.#document = document;
  }

  /** The schema of a body, with references resolved. */
  bodySchema({ requestBody }: OperationObject): Schema | undefined {
    return requestBody && this.resolve(requestBody.content['application/json'].schema);
  }

  resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.#document.components.schemas[name] ?? {});
  }

  /** A minimal value that matches a schema. */
  minimal(given: Schema): unknown {
    return this.variants(given)[0];
  }

  /** One minimal value for each alternative of a schema. */
  variants(given: Schema): readonly unknown[] {
    const schema = this.resolve(given);
    if (schema.properties || schema.type === 'object') {
      return this.#ways(schema).map((way) => this.#minimalObject(way));
    }
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return choices.flatMap((choice) => this.variants(choice));
    return [this.#minimalScalar(schema)];
  }

  #minimalScalar(schema: Schema): unknown {
    if (schema.examples?.[0] !== undefined) return schema.examples[0];
    if (schema.enum) return schema.enum[0];
    switch (schema.type) {
      case 'string':
        return 'x'.repeat(schema.minLength ?? 1);
      case 'boolean':
        return false;
      case 'array':
        return Array.from({ length: schema.minItems ?? 0 }, () => this.minimal(schema.items ?? {}));
      default:
        return schema.minimum ?? 1;
    }
  }

  /** The object without alternatives, once for each of them. */
  #ways({ oneOf, anyOf, allOf = [], ...rest }: Schema): readonly Schema[] {
    const join = (wholes: readonly Schema[], parts: readonly Schema[]): readonly Schema[] =>
      wholes.flatMap((whole) =>
        parts.flatMap((part) => this.#ways(part).map((way) => merged(whole, way))),
      );
    const wholes = allOf.reduce<readonly Schema[]>((ways, part) => join(ways, [part]), [rest]);
    const alternatives = oneOf ?? anyOf;
    return alternatives ? join(wholes, alternatives) : wholes;
  }

  #minimalObject(schema: Schema): Record<string, unknown> {
    const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
    const object: Record<string, unknown> = {};
    for (const name of required) object[name] = this.minimal(properties[name] ?? {});
    if (Object.keys(object).length >= minProperties) return object;
    const [name] = Object.keys(properties);
    if (name !== undefined) return { [name]: this.minimal(properties[name] ?? {}) };
    // A map: its example shows the format of a key.
    const [example] = schema.examples ?? [];
    if (example !== undefined) return example as Record<string, unknown>;
    return typeof additionalProperties === 'object'
      ? { 1: this.minimal(additionalProperties) }
      : {};
  }

  /** Objects with two alternatives of a schema that accepts one. */
  contradictions(given: Schema): readonly unknown[] {
    const { oneOf = [], allOf = [], ...rest } = this.resolve(given);
    const whole = allOf.reduce(merged, rest);
    return oneOf.flatMap((branch, index) => [
      ...oneOf.slice(index + 1).map((other) => {
        const [one = {}, another = {}] = [branch, other].map((part) => this.#ways(part)[0]);
        return this.#minimalObject(merged(merged(whole, one), another));
      }),
      ...this.contradictions(merged(whole, branch)),
    ]);
  }

  /** All required fields, also nested ones such as `source.channel`. */
  requiredFields(given: Schema, prefix = ''): readonly string[] {
    const { properties = {}, required = [] } = this.resolve(given);
    return required.flatMap((name) => [
      prefix + name,
      ...this.requiredFields(properties[name] ?? {}, `${prefix}${name}.`),
    ]);
  }
}

/** The same object without the field at this path. */
export const without = (value: unknown, path: string): unknown => {
  const copy = structuredClone(value) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let inner = copy;
  for (const key of keys) inner = inner[key] as Record<string, unknown>;
  delete inner[last];
  return copy;
};
