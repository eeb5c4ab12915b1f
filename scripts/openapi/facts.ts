export type Json = Record<string, unknown>;

/** Clients write requests and read responses. */
type Direction = 'request' | 'response';

/** How a client depends on a fact, apart from limits: it may lose it, or not expect it. */
interface Rule {
  readonly ifGone: boolean;
  readonly ifNew: boolean;
}
const kept: Rule = { ifGone: true, ifNew: false };
const notNew: Rule = { ifGone: false, ifNew: true };
const fixed: Rule = { ifGone: true, ifNew: true };

/** A limit breaks clients when it moves in this direction: 1 up, −1 down. */
interface Limit {
  readonly value: number;
  readonly breaksToward: 1 | -1;
}

/** A part of a document with the facts about it. */
export interface Place {
  readonly facts: Map<string, Rule>;
  readonly limits: Map<string, Limit>;
}

export type Places = Map<string, Place>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Members that only explain. Error codes are read separately. */
const isAnnotation = (name: string): boolean =>
  /^(title|summary|description|examples?|tags|\$comment|deprecated|x-.*)$/.test(name);

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const lowerLimits = ['minimum', 'minLength', 'minItems', 'minProperties'];
const upperLimits = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Everything that a document says to its clients, by place. Server addresses do not count. */
export const placesOf = (document: Json): Places => new Reader(document).read();

class Reader {
  readonly #document: Json;
  readonly #places: Places = new Map();

  constructor(document: Json) {
    this.#document = document;
  }

  read(): Places {
    const { paths, components } = this.#document;
    this.#addRest('document', this.#document, [
      'openapi',
      'info',
      'servers',
      'paths',
      'components',
    ]);
    for (const [path, item] of this.#membersOf(paths)) this.#readPath(path, item);
    for (const [section, members] of Object.entries(objectOf(components))) {
      // Clients generate types from components, so names matter, except those of responses.
      if (section === 'responses' || isAnnotation(section)) continue;
      for (const [name, member] of Object.entries(objectOf(members))) {
        const place = `components › ${section} › ${name}`;
        this.#place(place);
        if (section === 'securitySchemes') this.#addRest(place, objectOf(member), []);
      }
    }
    this.#addRest('components', objectOf(components), Object.keys(objectOf(components)));
    return this.#places;
  }

  #place(name: string): Place {
    const place = this.#places.get(name) ?? { facts: new Map(), limits: new Map() };
    this.#places.set(name, place);
    return place;
  }

  #add(place: string, fact: string, rule: Rule): void {
    this.#place(place).facts.set(fact, rule);
  }

  /** Adds error codes, and members without a rule, whose every change may break a client. */
  #addRest(place: string, node: Json, understood: readonly string[]): void {
    this.#place(place);
    for (const entry of listOf(node['x-error-codes']))
      this.#add(place, `error code ${JSON.stringify(objectOf(entry).code ?? entry)}`, kept);
    for (const [name, value] of Object.entries(node))
      if (!understood.includes(name) && !isAnnotation(name))
        this.#add(place, `${name} ${JSON.stringify(value)}`, fixed);
  }

  #resolve(node: unknown, seen: readonly unknown[] = []): Json | undefined {
    const { $ref } = objectOf(node);
    if (seen.includes(node)) return undefined;
    if (typeof $ref !== 'string') return isObject(node) ? node : undefined;
    const [root, ...steps] = $ref.split('/');
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const walk = (at: unknown, name: string): unknown =>
      Object.hasOwn(objectOf(at), name) ? objectOf(at)[name] : undefined;
    const target = names.reduce(walk, root === '#' ? this.#document : undefined);
    return this.#resolve(target, [...seen, node]);
  }

  #membersOf(node: unknown): [name: string, member: Json][] {
    return Object.entries(objectOf(node)).flatMap(([name, value]): [string, Json][] => {
      const member = this.#resolve(value);
      return member ? [[name, member]] : [];
    });
  }

  #readPath(path: string, item: Json): void {
    this.#addRest(path, item, methods);
    for (const [method, operation] of this.#membersOf(item)) {
      if (methods.includes(method)) {
        this.#readOperation(`${path} › ${method.toUpperCase()}`, operation);
      }
    }
  }

  #readOperation(place: string, operation: Json): void {
    const { operationId, security, requestBody, responses } = operation;
    const understood = ['operationId', 'security', 'parameters', 'requestBody', 'responses'];
    this.#addRest(place, operation, understood);
    if (operationId) this.#add(place, `operationId ${JSON.stringify(operationId)}`, kept);
    const ways = listOf(security).length > 0 ? listOf(security) : [{}];
    for (const way of ways) this.#add(place, `security ${JSON.stringify(way)}`, kept);
    for (const node of listOf(operation.parameters)) {
      const parameter = objectOf(this.#resolve(node));
      this.#readField(place, `${parameter.in} ${parameter.name}`, parameter, 'request');
    }
    const body = this.#resolve(requestBody);
    if (body) {
      this.#addRest(`${place} › request`, body, ['required', 'content']);
      if (body.required === true) this.#add(place, 'required body', notNew);
      this.#readContent(`${place} › request`, body, 'request');
    }
    for (const [status, response] of this.#membersOf(responses)) {
      const answer = `${place} › ${status}`;
      this.#addRest(answer, response, ['headers', 'content']);
      for (const [name, header] of this.#membersOf(response.headers))
        this.#readField(answer, `header ${name}`, header, 'response');
      this.#readContent(answer, response, 'response');
    }
  }

  #readField(owner: string, name: string, field: Json, direction: Direction): void {
    const place = `${owner} › ${name}`;
    this.#addRest(place, field, ['name', 'in', 'required', 'schema']);
    if (field.required === true)
      this.#add(owner, `required ${name}`, direction === 'request' ? notNew : kept);
    this.#readSchema(place, field.schema, direction, []);
  }

  #readContent(owner: string, { content }: Json, direction: Direction): void {
    for (const [type, media] of this.#membersOf(content)) {
      this.#addRest(`${owner} › ${type}`, media, ['schema']);
      this.#readSchema(`${owner} › ${type}`, media.schema, direction, []);
    }
  }

  /** Adds a schema and all it includes. `within` are the components that are being read. */
  #readSchema(
    name: string,
    schema: unknown,
    direction: Direction,
    within: readonly string[],
  ): void {
    const place = this.#place(name);
    if (schema === false) this.#add(name, 'nothing accepted', fixed);
    if (!isObject(schema)) return;
    const { $ref } = schema;
    if (typeof $ref === 'string') {
      const target = within.includes($ref) ? undefined : this.#resolve(schema);
      if (!target) this.#add(name, `reference to ${$ref}`, fixed);
      this.#readSchema(name, target, direction, [...within, $ref]);
    }
    for (const part of listOf(schema.allOf)) this.#readSchema(name, part, direction, within);
    const isRequest = direction === 'request';
    for (const keyword of [...lowerLimits, ...upperLimits]) {
      const value = schema[keyword];
      if (typeof value !== 'number') continue;
      const isLower = lowerLimits.includes(keyword);
      place.limits.set(keyword, { value, breaksToward: isLower === isRequest ? 1 : -1 });
      this.#add(name, keyword, isRequest ? notNew : kept);
    }
    for (const keyword of ['pattern', 'uniqueItems'])
      if (Object.hasOwn(schema, keyword))
        this.#add(name, `${keyword} ${JSON.stringify(schema[keyword])}`, isRequest ? notNew : kept);
    if (isRequest && Object.hasOwn(schema, 'default'))
      this.#add(name, `default ${JSON.stringify(schema.default)}`, kept);
    this.#readTypes(name, schema, direction);
    this.#readUnions(name, schema, direction, within);
    this.#readObject(name, schema, direction, within);
    if (isObject(schema.items)) this.#readSchema(`${name}[]`, schema.items, direction, within);
    this.#addRest(name, schema, understood);
  }

  #readTypes(name: string, schema: Json, direction: Direction): void {
    const listed = 'const' in schema ? [schema.const] : schema.enum;
    const values = listOf(listed).filter((value) => value !== null);
    for (const value of values) this.#add(name, `value ${JSON.stringify(value)}`, kept);
    if (listed && direction === 'request') this.#add(name, 'listed values only', notNew);
    for (const type of [schema.type ?? listOf(listed).map(typeOf)].flat()) {
      // Every integer is a number.
      if (type === 'number')
        this.#add(name, 'type number', direction === 'request' ? kept : notNew);
      this.#add(name, `type ${type === 'number' ? 'integer' : type}`, fixedIn(direction));
    }
  }

  /** Reads members with a type in place; several objects are variants with their own places. */
  #readUnions(name: string, schema: Json, direction: Direction, within: readonly string[]): void {
    for (const keyword of ['anyOf', 'oneOf']) {
      const members = listOf(schema[keyword]);
      const objects = members.filter((member) => {
        const { type, properties, allOf } = objectOf(this.#resolve(member));
        return type === 'object' || properties || allOf;
      });
      const isOfTypes = members.every((member) => {
        const target = objectOf(this.#resolve(member));
        return (
          objects.includes(member) || 'type' in target || 'const' in target || 'enum' in target
        );
      });
      if (!isOfTypes) this.#add(name, `${keyword} ${JSON.stringify(members)}`, fixed);
      else
        for (const member of members) {
          const isVariant = objects.length > 1 && objects.includes(member);
          const label = isVariant ? ` › variant ${this.#labelOf(member, objects)}` : '';
          if (isVariant && direction === 'response') this.#add(name, label.slice(3), notNew);
          this.#readSchema(name + label, member, direction, within);
        }
    }
  }

  /** Component name, else the constant that no other variant has, else the position. */
  #labelOf(member: unknown, all: readonly unknown[]): string {
    const component = String(objectOf(member).$ref ?? '').replace(/.*\//, '');
    const tagsOf = (each: unknown): string[] => {
      const { properties, allOf } = objectOf(this.#resolve(each));
      const own = Object.entries(objectOf(properties)).flatMap(([property, value]) =>
        'const' in objectOf(value) ? [`${property} ${JSON.stringify(objectOf(value).const)}`] : [],
      );
      return [...own, ...listOf(allOf).flatMap(tagsOf)];
    };
    const others = all.filter((other) => other !== member).flatMap(tagsOf);
    const tag = tagsOf(member).find((each) => !others.includes(each));
    return component || tag || `#${all.indexOf(member) + 1}`;
  }

  #readObject(name: string, schema: Json, direction: Direction, within: readonly string[]): void {
    const isRequest = direction === 'request';
    const { properties, additionalProperties, required } = schema;
    if (additionalProperties === false && isRequest)
      this.#add(name, 'no additional properties', notNew);
    if (isObject(additionalProperties))
      this.#add(name, `additionalProperties ${JSON.stringify(additionalProperties)}`, fixed);
    for (const property of listOf(required))
      this.#add(name, `required ${property}`, isRequest ? notNew : kept);
    for (const [property, value] of Object.entries(objectOf(properties)))
      this.#readSchema(`${name} › ${property}`, value, direction, within);
  }
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Requests may gain types and variants; clients of a response do not expect new ones. */
const fixedIn = (direction: Direction): Rule => (direction === 'request' ? kept : fixed);

const understood = [
  ...[...lowerLimits, ...upperLimits, 'pattern', 'uniqueItems', 'default'],
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'type', 'const', 'enum'],
  ...['properties', 'additionalProperties', 'required', 'items'],
];
