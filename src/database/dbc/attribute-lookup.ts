import type { Attributes, AttributeValue } from '../model.ts';
import type { DbcAttributeDefinition, DbcAttributeOwner } from './specifics.ts';

export class AttributeLookup {
  readonly #byOwner = new Map<DbcAttributeOwner, Map<string, DbcAttributeDefinition>>();
  readonly #byName = new Map<string, DbcAttributeDefinition>();

  add(definition: DbcAttributeDefinition): void {
    const { owner, name } = definition;
    const known = this.#byOwner.get(owner) ?? new Map<string, DbcAttributeDefinition>();
    this.#byOwner.set(owner, known.set(name, definition));
    this.#byName.set(name, definition);
  }

  find(owner: DbcAttributeOwner, name: string): DbcAttributeDefinition | undefined {
    return this.#byOwner.get(owner)?.get(name) ?? this.#byName.get(name);
  }

  valueFor(owner: DbcAttributeOwner, name: string, attributes: Attributes): AttributeValue | null {
    if (Object.hasOwn(attributes, name)) return attributes[name] ?? null;
    return this.find(owner, name)?.default ?? null;
  }
}

export const lookupOf = (definitions: readonly DbcAttributeDefinition[]): AttributeLookup => {
  const lookup = new AttributeLookup();
  for (const definition of definitions) lookup.add(definition);
  return lookup;
};
