import type { Attributes, AttributeValue, Database, Message, Signal } from '../../../model.ts';
import { type AttributeLookup, lookupOf } from '../../attribute-lookup.ts';
import {
  bitRateSwitchAttribute,
  cycleTimeAttribute,
  frameFormatAttribute,
  frameFormats,
  KnownAttributes,
  startValueAttribute,
} from '../../known-attributes.ts';
import type { DbcAttributeDefinition, DbcSpecifics } from '../../specifics.ts';

const define = (
  definition: Pick<DbcAttributeDefinition, 'owner' | 'name' | 'type'> &
    Partial<DbcAttributeDefinition>,
): DbcAttributeDefinition => ({
  minimum: null,
  maximum: null,
  choices: [],
  default: null,
  ...definition,
});

/** These have no default, so they do not affect objects without a value. */
const usualDefinitions: readonly DbcAttributeDefinition[] = [
  define({ owner: 'message', name: cycleTimeAttribute, type: 'FLOAT' }),
  define({ owner: 'message', name: frameFormatAttribute, type: 'ENUM', choices: frameFormats }),
  define({ owner: 'message', name: bitRateSwitchAttribute, type: 'ENUM', choices: ['0', '1'] }),
  define({ owner: 'signal', name: startValueAttribute, type: 'FLOAT' }),
];

/**
 * Cycle times, frame kinds and initial values are attributes in a file. A database that was
 * changed or converted has them only in the model; this class adds the matching attributes.
 */
export class CompleteAttributes {
  readonly #known: KnownAttributes;
  readonly #lookup: AttributeLookup;
  readonly #definitions: DbcAttributeDefinition[];

  constructor({ attributes, specifics }: Database<DbcSpecifics>) {
    this.#definitions = [...specifics.attributeDefinitions];
    this.#lookup = lookupOf(this.#definitions);
    this.#known = new KnownAttributes(this.#lookup, attributes);
  }

  get definitions(): readonly DbcAttributeDefinition[] {
    return this.#definitions;
  }

  ofMessage({ attributes, cycleTimeMs, fd, brs, extended, length, pgn }: Message): Attributes {
    const added: Record<string, AttributeValue> = {};
    if (this.#known.cycleTimeMs(attributes) !== cycleTimeMs) {
      added[cycleTimeAttribute] = this.#value(cycleTimeAttribute, String(cycleTimeMs ?? 0));
    }
    const isGroup = pgn !== undefined;
    const isOtherGroup = extended && this.#known.isJ1939(attributes) !== isGroup;
    if (isOtherGroup || this.#known.frameKind(attributes, length).fd !== fd) {
      const frame = `${extended ? 'Extended' : 'Standard'}CAN${fd ? '_FD' : ''}`;
      const format = isGroup ? 'J1939PG' : frame;
      added[frameFormatAttribute] = this.#value(frameFormatAttribute, format);
    }
    if (fd && this.#known.frameKind({ ...attributes, ...added }, length).brs !== brs) {
      added[bitRateSwitchAttribute] = this.#value(bitRateSwitchAttribute, brs ? '1' : '0');
    }
    return { ...attributes, ...added };
  }

  ofSignal({ attributes, initialRaw }: Signal): Attributes {
    if (initialRaw === null || this.#known.initialRaw(attributes) === initialRaw) return attributes;
    return { ...attributes, [startValueAttribute]: this.#value(startValueAttribute, initialRaw) };
  }

  #value(name: string, text: string): AttributeValue {
    const { type, choices } = this.#definitionOf(name);
    if (type === 'STRING') return { kind: 'text', text };
    if (type !== 'ENUM') {
      const number = frameFormats.indexOf(text);
      return { kind: 'number', number: number >= 0 ? String(number) : text };
    }
    const index = choices.indexOf(text);
    return index >= 0 ? { kind: 'choice', index, text } : { kind: 'text', text };
  }

  #definitionOf(name: string): Pick<DbcAttributeDefinition, 'type' | 'choices'> {
    const usual = usualDefinitions.find((definition) => definition.name === name);
    const known = this.#lookup.find(usual?.owner ?? 'message', name);
    if (known !== undefined) return known;
    if (usual === undefined) return { type: 'STRING', choices: [] };
    this.#definitions.push(usual);
    this.#lookup.add(usual);
    return usual;
  }
}
