const sorted = (entries: ReadonlyMap<string, unknown>): Record<string, unknown> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Collects the named parts of a document while it is rendered and replaces them by references. */
export class Components {
  readonly #schemas = new Map<string, unknown>();
  readonly #responses = new Map<string, unknown>();

  /** Every named schema met so far, in alphabetical order. */
  get schemas(): Record<string, unknown> {
    return sorted(this.#schemas);
  }

  get responses(): Record<string, unknown> {
    return sorted(this.#responses);
  }

  /** A schema for use in the document: a reference where it, or a part of it, has a name. */
  reference(schema: object): unknown {
    return this.#convert(JSON.parse(JSON.stringify(schema)));
  }

  response(name: string, response: object): object {
    this.#responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  #convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#convert(item));
    if (value === null || typeof value !== 'object') return value;
    const { $id: name, ...rest } = value as Record<string, unknown>;
    const converted = Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => [key, this.#convert(inner)]),
    );
    if (typeof name !== 'string') return converted;
    this.#schemas.set(name, converted);
    return { $ref: `#/components/schemas/${name}` };
  }
}
