import { distinctNames } from '../../distinct-names.ts';
import { pgnOf } from '../../j1939.ts';
import type { Message, Node, Signal } from '../../model.ts';
import { OverlapFinder } from '../../overlap.ts';
import { type KnownAttributes, longSymbols } from '../known-attributes.ts';
import { oddityOf, referenceOf } from '../message-id.ts';
import type { Draft, DraftMessage, DraftSignal, MessageNotes, Notes } from '../read/draft.ts';
import { type DbcProblems, shown } from '../read/problems.ts';
import type { DbcAttributeOwner } from '../specifics.ts';
import type { AttributeValues } from './attribute-values.ts';
import { checkSignal, rawKindOf } from './check-signal.ts';
import { resolveMultiplexing } from './multiplexing.ts';

/** The full name behind one that was cut to 32 characters. */
export const fullName = (
  owner: DbcAttributeOwner,
  name: string,
  notes: Notes | undefined,
): string => notes?.attributes?.get(longSymbols[owner] ?? '')?.text || name;

type Naming = Pick<Message, 'name' | 'sharedName'>;

/** A name of its own, and the one in the file where that is another. */
const naming = (name = '', written = ''): Naming =>
  name === written ? { name } : { name, sharedName: written };

/** Builds the messages of a file out of what its statements say. */
export class MessageBuilder {
  readonly #draft: Draft;
  readonly #values: AttributeValues;
  readonly #known: KnownAttributes;
  readonly #problems: DbcProblems;
  readonly #overlaps = new OverlapFinder();
  readonly #nodeNames: ReadonlyMap<string, string>;

  constructor(
    draft: Draft,
    values: AttributeValues,
    known: KnownAttributes,
    nodeNames: ReadonlyMap<string, string>,
    problems: DbcProblems,
  ) {
    this.#draft = draft;
    this.#values = values;
    this.#known = known;
    this.#nodeNames = nodeNames;
    this.#problems = problems;
  }

  build(): Message[] {
    const { messages: drafts, messageNotes } = this.#draft;
    const written = drafts.map(({ name, number }) =>
      fullName('message', name, messageNotes.get(number)),
    );
    const names = distinctNames(written);
    const messages = drafts.map((draft, index) =>
      this.#message(draft, naming(names[index], written[index])),
    );
    if (this.#overlaps.isExhausted) {
      this.#problems.warn(
        'overlap_check_incomplete',
        0,
        'The signals are too many and too long to look for all overlaps',
        'looked at a part of them',
      );
    }
    return messages;
  }

  #message(draft: DraftMessage, named: Naming): Message {
    const notes = this.#draft.messageNotes.get(draft.number);
    const attributes = this.#values.attributesOf('message', notes?.attributes ?? null);
    const { fd, brs, isAssumed } = this.#known.frameKind(attributes, draft.length);
    if (isAssumed) this.#reportLength(draft);
    const oddity = oddityOf(draft.number);
    if (oddity !== undefined) this.#reportNumber(draft, oddity);
    const reference = referenceOf(draft.number);
    const isGroup = reference.extended && this.#known.isJ1939(attributes);
    const message: Message = {
      ...named,
      ...reference,
      ...(isGroup ? { pgn: pgnOf(reference.id) } : {}),
      fd,
      brs,
      length: draft.length,
      senders: this.#senders(draft.sender, notes?.senders ?? []),
      cycleTimeMs: this.#known.cycleTimeMs(attributes),
      signals: this.#signals(draft, notes),
      comment: notes?.comment ?? null,
      attributes,
    };
    for (const { signal, other } of this.#overlaps.find(message)) {
      this.#problems.warn(
        'signals_overlap',
        draft.signals[signal]?.at ?? draft.at,
        `Signals ${shown(message.signals[signal]?.name ?? '')} and ${shown(message.signals[other]?.name ?? '')} of ${shown(message.name)} share bits`,
        'both kept',
      );
    }
    return message;
  }

  #senders(first: string | null, others: readonly string[]): string[] {
    const all = first === null ? others : [first, ...others];
    return [...new Set(all.map((name) => this.#nodeNames.get(name) ?? name))];
  }

  #signals(message: DraftMessage, notes: MessageNotes | undefined): Signal[] {
    const signalNotes = notes?.signals;
    const dependencies = resolveMultiplexing(message, signalNotes, this.#problems);
    const written = message.signals.map(({ name }) =>
      fullName('signal', name, signalNotes?.get(name)),
    );
    const names = distinctNames(written);
    const firstNames = new Map<string, string>();
    message.signals.forEach(({ name }, index) => {
      if (!firstNames.has(name)) firstNames.set(name, names[index] ?? name);
    });
    return message.signals.map((draft, index) => {
      const own = signalNotes?.get(draft.name);
      const attributes = this.#values.attributesOf('signal', own?.attributes ?? null);
      const values = own?.values ?? [];
      const multiplexing = dependencies.multiplexing[index] ?? null;
      checkSignal(message, draft, values, this.#problems);
      return {
        ...naming(names[index], written[index]),
        startBit: draft.startBit,
        length: draft.length,
        byteOrder: draft.isMotorola ? 'motorola' : 'intel',
        kind: rawKindOf(draft, own, this.#problems),
        factor: draft.factor,
        offset: draft.offset,
        minimum: draft.minimum,
        maximum: draft.maximum,
        unit: draft.unit,
        receivers: this.#receivers(draft),
        isSwitch: dependencies.switches.has(draft.name),
        multiplexing:
          multiplexing === null
            ? null
            : {
                switch: firstNames.get(multiplexing.switch) ?? multiplexing.switch,
                ranges: multiplexing.ranges,
              },
        values,
        initialRaw: this.#known.initialRaw(attributes),
        comment: own?.comment ?? null,
        attributes,
      };
    });
  }

  #receivers({ receivers }: DraftSignal): readonly string[] {
    if (this.#nodeNames.size === 0) return receivers;
    return receivers.map((name) => this.#nodeNames.get(name) ?? name);
  }

  #reportLength({ at, name, length }: DraftMessage): void {
    this.#problems.warn(
      'length_needs_fd',
      at,
      `Message ${shown(name)} has ${length} bytes and is not marked as CAN FD`,
      'taken as CAN FD',
    );
  }

  #reportNumber({ at, name, number }: DraftMessage, oddity: string): void {
    this.#problems.warn(
      'id_without_mark',
      at,
      `The number ${number} of message ${shown(name)} ${oddity}`,
      `taken as the 29-bit identifier 0x${referenceOf(number).id.toString(16)}`,
    );
  }
}

export const buildNodes = (draft: Draft, values: AttributeValues): Node[] =>
  draft.nodes.map(({ name }) => {
    const notes = draft.nodeNotes.get(name);
    return {
      name: fullName('node', name, notes),
      comment: notes?.comment ?? null,
      attributes: values.attributesOf('node', notes?.attributes ?? null),
    };
  });
