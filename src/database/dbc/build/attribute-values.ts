import { toDecimal, toInteger } from '../../decimal.ts';
import type { Attributes, AttributeValue } from '../../model.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import { AttributeLookup } from '../attribute-lookup.ts';
import { longSymbols } from '../known-attributes.ts';
import type { Draft, DraftDefinition, DraftValue } from '../read/draft.ts';
import type { DbcAttributeDefinition, DbcAttributeOwner } from '../specifics.ts';

const noAttributes: Attributes = {};
const ownProperty = { enumerable: true, configurable: true, writable: true };

type Choice = Extract<AttributeValue, { kind: 'choice' }>;
type Definition = Pick<DbcAttributeDefinition, 'type' | 'choices'>;

export class AttributeValues {
  readonly lookup = new AttributeLookup();
  readonly definitions: DbcAttributeDefinition[] = [];
  readonly #problems: FileProblems;
  readonly #undefined = new Set<string>();
  readonly #choices = new Map<readonly string[], Choice[]>();
  readonly #indexes = new Map<readonly string[], Map<string, number>>();

  constructor(draft: Draft, problems: FileProblems) {
    this.#problems = problems;
    for (const definition of lastOfEach(draft.definitions, problems)) {
      const { owner, name, type, minimum, maximum, choices } = definition;
      const defaults = owner.startsWith('node_') ? draft.relationDefaults : draft.defaults;
      const value = defaults.get(name);
      const byDefault = value === undefined ? null : this.#convert(definition, value, true);
      const complete = { owner, name, type, minimum, maximum, choices, default: byDefault };
      if (name === longSymbols[owner]) continue;
      this.definitions.push(complete);
      this.lookup.add(complete);
    }
    this.#reportDefaults(draft);
  }

  attributesOf(owner: DbcAttributeOwner, drafts: readonly DraftValue[] | null): Attributes {
    if (drafts === null || drafts.length === 0) return noAttributes;
    const attributes: Record<string, AttributeValue> = {};
    for (const draft of drafts) {
      const { name } = draft;
      const value = this.valueOf(owner, draft);
      // Assigning to this name would change the prototype.
      if (name === '__proto__') Object.defineProperty(attributes, name, { ...ownProperty, value });
      else attributes[name] = value;
    }
    return attributes;
  }

  valueOf(owner: DbcAttributeOwner, draft: DraftValue): AttributeValue {
    const { name } = draft;
    const definition = this.lookup.find(owner, name);
    if (definition !== undefined) return this.#convert(definition, draft, false);
    if (!this.#undefined.has(name)) {
      this.#undefined.add(name);
      this.#problems.warn(
        'attribute_undefined',
        draft.offset,
        `Attribute ${shown(name)} has no definition`,
        'kept as written',
      );
    }
    return asWritten(draft);
  }

  #convert(definition: Definition, draft: DraftValue, isDefault: boolean): AttributeValue {
    const { type } = definition;
    if (type === 'STRING') return { kind: 'text', text: draft.text };
    if (type === 'ENUM') return this.#choose(definition, draft, isDefault);
    const decimal = draft.isText ? toDecimal(draft.text.trim()) : draft.text;
    if (decimal === null) {
      if (draft.text !== '') this.#mismatch(draft, 'is not a number');
      return asWritten(draft);
    }
    if (type === 'FLOAT') return { kind: 'number', number: decimal };
    const whole = /^-?\d+$/.test(decimal) ? decimal : toInteger(decimal)?.toString();
    return { kind: 'number', number: whole ?? decimal };
  }

  /**
   * By the format, values refer to a choice by index and defaults by string; files use either.
   */
  #choose(definition: Definition, draft: DraftValue, isDefault: boolean): AttributeValue {
    const { choices } = definition;
    const byText = draft.isText ? this.#indexOf(choices, draft.text) : -1;
    const index = byText >= 0 || !/^\d{1,9}$/.test(draft.text) ? byText : Number(draft.text);
    const text = choices[index];
    if (text !== undefined) {
      const known = this.#choices.get(choices) ?? [];
      this.#choices.set(choices, known);
      known[index] ??= { kind: 'choice', index, text };
      return known[index];
    }
    if (!isDefault || draft.text !== '') this.#mismatch(draft, 'is not one of the choices');
    return asWritten(draft);
  }

  #indexOf(choices: readonly string[], text: string): number {
    let indexes = this.#indexes.get(choices);
    if (indexes === undefined) {
      indexes = new Map();
      for (const [index, choice] of choices.entries()) {
        if (!indexes.has(choice)) indexes.set(choice, index);
      }
      this.#indexes.set(choices, indexes);
    }
    return indexes.get(text) ?? -1;
  }

  #mismatch(draft: DraftValue, fault: string): void {
    this.#problems.warn(
      'attribute_mismatch',
      draft.offset,
      `The value ${shown(draft.text)} ${fault} required by the definition`,
      'kept as written',
    );
  }

  #reportDefaults(draft: Draft): void {
    const names = new Set(draft.definitions.map(({ name }) => name));
    for (const [name, { offset }] of [...draft.defaults, ...draft.relationDefaults]) {
      if (names.has(name)) continue;
      this.#problems.warn(
        'attribute_undefined',
        offset,
        `The default of attribute ${shown(name)} has no definition`,
        'ignored',
      );
    }
  }
}

const asWritten = ({ isText, text }: DraftValue): AttributeValue =>
  isText ? { kind: 'text', text } : { kind: 'number', number: text };

const lastOfEach = (
  definitions: readonly DraftDefinition[],
  problems: FileProblems,
): Iterable<DraftDefinition> => {
  const last = new Map<string, DraftDefinition>();
  for (const definition of definitions) {
    const key = `${definition.owner} ${definition.name}`;
    if (last.has(key)) {
      problems.warn(
        'attribute_defined_twice',
        definition.at,
        `Attribute ${shown(definition.name)} is defined more than once`,
        'the last definition is used',
      );
    }
    last.set(key, definition);
  }
  return last.values();
};
