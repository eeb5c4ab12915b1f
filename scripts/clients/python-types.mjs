// Converts JSON Schemas to Python types. Objects with fields become TypedDicts, named after
// their position.
import { pascalCase, refName } from './document.mjs';

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from
  global if import in is lambda nonlocal not or pass raise return try while with yield`.split(
    /\s+/,
  ),
);

export const isPythonName = (name) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

export const pythonText = (text) => JSON.stringify(text);

const literal = (value) => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? pythonText(value) : String(value);
};

const union = (types) => {
  const all = [...new Set(types)];
  const others = all.filter((type) => type !== 'None');
  const joined = others.length === 1 ? others[0] : `Union[${others.join(', ')}]`;
  if (others.length === all.length) return joined;
  return others.length === 0 ? 'None' : `Optional[${joined}]`;
};

const simple = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

export class PythonTypes {
  records = new Map();
  #fields = new Map();

  typeOf(schema, name) {
    if (schema.$ref) return refName(schema.$ref);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    if (schema.properties && Object.keys(schema.properties).length > 0) {
      this.addRecord(name, schema);
      return name;
    }
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) {
      const objects = alternatives.filter(({ properties }) => properties).length;
      return union(
        alternatives.map((each, at) => this.typeOf(each, objects > 1 ? `${name}${at + 1}` : name)),
      );
    }
    if (schema.type === 'array') return `List[${this.typeOf(schema.items ?? {}, name)}]`;
    if (schema.type === 'object') {
      const values = Object.values(schema.patternProperties ?? {})[0] ?? {};
      return `Dict[str, ${this.typeOf(values, name)}]`;
    }
    return simple[schema.type] ?? 'Any';
  }

  addRecord(name, schema) {
    if (this.records.has(name)) return;
    if (schema.enum) {
      this.records.set(name, `${name} = ${this.typeOf(schema, name)}`);
      return;
    }
    // Reserves the position, so that records are in document order.
    this.records.set(name, '');
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).map(([field, inner]) => ({
      field,
      type: this.typeOf(inner, name + pascalCase(field)),
      description: inner.description,
      isRequired: required.has(field),
    }));
    this.#fields.set(name, fields);
    this.records.set(name, recordText(name, fields, schema.description));
  }

  /** Fields of a record as attributes of a handwritten class. */
  dataclassText(name, record) {
    const fields = this.#fields.get(record);
    return [
      '@dataclass(frozen=True)',
      `class ${name}:`,
      `    """Fields of :class:\`~busbar.records.${record}\`."""`,
      '',
      ...fieldLines(fields),
    ].join('\n');
  }
}

const fieldLines = (fields) =>
  fields.flatMap(({ field, type, description }) => [
    ...(description ? [`    # ${description.replaceAll('\n', ' ')}`] : []),
    `    ${field}: ${type}`,
  ]);

const classText = (name, bases, fields, description) =>
  [
    `class ${name}(${bases}):`,
    ...(description ? [`    """${description.replaceAll('\\', '\\\\')}"""`, ''] : []),
    ...(fields.length > 0 ? fieldLines(fields) : ['    pass']),
  ].join('\n');

/** Used if a field is not a valid Python name, such as `from`. */
const callText = (name, fields) => {
  const total = fields.every(({ isRequired }) => isRequired);
  const required = fields.filter(({ isRequired }) => isRequired);
  if (!total && required.length > 0) {
    const [base, rest] = [`_${name}Required`, `_${name}Optional`];
    const optional = fields.filter(({ isRequired }) => !isRequired);
    return [
      callText(base, required),
      callText(rest, optional),
      `class ${name}(${base}, ${rest}):\n    pass`,
    ].join('\n\n\n');
  }
  return [
    `${name} = TypedDict(`,
    `    ${pythonText(name)},`,
    `    {${fields.map(({ field, type }) => `${pythonText(field)}: ${pythonText(type)}`).join(', ')}},`,
    ...(total ? [] : ['    total=False,']),
    ')',
  ].join('\n');
};

/** Python 3.9 has no optional fields in a TypedDict: they are in a separate class. */
const recordText = (name, fields, description) => {
  if (!fields.every(({ field }) => isPythonName(field))) return callText(name, fields);
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  if (optional.length === 0) return classText(name, 'TypedDict', required, description);
  if (required.length === 0) {
    return classText(name, 'TypedDict, total=False', optional, description);
  }
  return [
    classText(`_${name}Required`, 'TypedDict', required),
    classText(name, `_${name}Required, total=False`, optional, description),
  ].join('\n\n\n');
};
