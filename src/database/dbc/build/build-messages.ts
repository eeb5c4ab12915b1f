import { distinctNames } from '../../distinct-names.ts';
import { pgnOf } from '../../j1939.ts';
import { bytesFor } from '../../layout.ts';
import type { Message, Multiplexing, Node, RawKind, Signal, ValueText } from '../../model.ts';
import { OverlapFinder } from '../../overlap.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import type { KnownAttributes } from '../known-attributes.ts';
import { deepestMultiplexing } from '../limits.ts';
import { oddityOf, referenceOf } from '../message-id.ts';
import type { Draft, DraftMessage, DraftSignal, Notes, SignalNotes } from '../read/draft.ts';
import type { AttributeValues } from './attribute-values.ts';

interface Dependencies {
  readonly multiplexing: readonly (Multiplexing | null)[];
  readonly switches: ReadonlySet<string>;
}

const independent: Dependencies = { multiplexing: [], switches: new Set() };

const isMarked = ({ isSwitch, switchValue }: DraftSignal): boolean =>
  isSwitch || switchValue !== null;

/**
 * Finds the switch of every multiplexed signal: the one named by SG_MUL_VAL_, otherwise the
 * only one in the message. Without either, the signal is always present.
 */
const resolveMultiplexing = (
  message: DraftMessage,
  notes: readonly (SignalNotes | undefined)[],
  problems: FileProblems,
): Dependencies => {
  const { signals } = message;
  const ruled = (index: number) => notes[index]?.multiplexing ?? null;
  if (!signals.some((signal, index) => isMarked(signal) || ruled(index) !== null)) {
    return independent;
  }
  const names = new Set(signals.map(({ name }) => name));
  const switches = new Set(signals.filter(({ isSwitch }) => isSwitch).map(({ name }) => name));
  const [onlySwitch] = switches.size === 1 ? switches : [];

  const bySwitchValue = (signal: DraftSignal): Multiplexing | null => {
    if (signal.switchValue === null) return null;
    if (onlySwitch !== undefined && onlySwitch !== signal.name) {
      const { switchValue: value } = signal;
      return { switch: onlySwitch, ranges: [{ from: value, to: value }] };
    }
    problems.warn(
      switches.size > 1 ? 'multiplexor_ambiguous' : 'multiplexor_missing',
      signal.at,
      `The multiplexer switch of signal ${shown(signal.name)} is not specified`,
      'treated as always present',
    );
    return null;
  };

  const multiplexing = signals.map((signal, index) => {
    const rule = ruled(index);
    if (rule === null) return bySwitchValue(signal);
    if (!names.has(rule.switch) || rule.switch === signal.name || rule.ranges.length === 0) {
      problems.warn(
        'multiplexing_unusable',
        rule.offset,
        `Signal ${shown(signal.name)} cannot be multiplexed by ${shown(rule.switch)} in this way`,
        'SG_MUL_VAL_ ignored',
      );
      return bySwitchValue(signal);
    }
    if (!switches.has(rule.switch) || signal.switchValue === null) {
      problems.warn(
        'multiplexing_unmarked',
        rule.offset,
        `SG_MUL_VAL_ of ${shown(signal.name)} contradicts the multiplexer indicators of the signals`,
        'SG_MUL_VAL_ used',
      );
      switches.add(rule.switch);
    }
    return { switch: rule.switch, ranges: rule.ranges };
  });
  cutEndless(message, multiplexing, problems);
  return { multiplexing, switches };
};

/**
 * Removes the condition of signals that depend on themselves or on too many levels of switches.
 */
const cutEndless = (
  { signals }: DraftMessage,
  multiplexing: (Multiplexing | null)[],
  problems: FileProblems,
): void => {
  const switchOf = new Map<string, string>();
  signals.forEach(({ name }, index) => {
    const parent = multiplexing[index]?.switch;
    if (parent !== undefined) switchOf.set(name, parent);
  });
  const isEndless = (name: string): boolean => {
    let parent = switchOf.get(name);
    for (let depth = 0; parent !== undefined; depth += 1) {
      if (depth >= deepestMultiplexing) return true;
      parent = switchOf.get(parent);
    }
    return false;
  };
  const endless = new Set(signals.map(({ name }) => name).filter(isEndless));
  signals.forEach(({ name, at }, index) => {
    if (!endless.has(name)) return;
    multiplexing[index] = null;
    problems.error(
      'multiplexing_endless',
      at,
      `Signal ${shown(name)} depends on itself or on too many nested switches`,
      'treated as always present',
    );
  });
};

const maxNumberLength = 64;

/** Integer, or the float type of SIG_VALTYPE_ if the length allows it. */
const rawKindOf = (
  signal: DraftSignal,
  notes: SignalNotes | undefined,
  problems: FileProblems,
): RawKind => {
  const integer: RawKind = signal.isSigned ? 'signed' : 'unsigned';
  const type = notes?.valueType ?? 0;
  if (type === 0) return integer;
  const expected = type === 1 ? 32 : type === 2 ? 64 : 0;
  if (expected === signal.length) return expected === 32 ? 'float32' : 'float64';
  const isFloat = expected > 0 && (signal.length === 32 || signal.length === 64);
  problems.warn(
    'value_type_mismatch',
    notes?.offset ?? signal.at,
    `Value type ${type} does not fit the ${signal.length} bits of signal ${shown(signal.name)}`,
    isFloat ? 'treated as a float of that length' : 'treated as an integer',
  );
  if (!isFloat) return integer;
  return signal.length === 32 ? 'float32' : 'float64';
};

const checkSignal = (
  message: DraftMessage,
  signal: DraftSignal,
  values: readonly ValueText[],
  problems: FileProblems,
): void => {
  const { at, startBit, length, isMotorola, factor, minimum, maximum } = signal;
  const byteOrder = isMotorola ? 'motorola' : 'intel';
  const bytes = bytesFor({ startBit, length, byteOrder });
  if (bytes > message.length) {
    problems.warn(
      'signal_beyond_message',
      at,
      `Signal ${shown(signal.name)} needs ${bytes} bytes, but ${shown(message.name)} has ${message.length}`,
      'kept; only longer frames contain it',
    );
  }
  if (Number(factor) === 0) {
    problems.warn('factor_zero', at, `Signal ${shown(signal.name)} has the factor 0`, 'kept');
  }
  if (minimum !== null && maximum !== null && minimum !== maximum) {
    if (Number(minimum) > Number(maximum)) {
      problems.warn(
        'limits_reversed',
        at,
        `The minimum of signal ${shown(signal.name)} is above its maximum`,
        'kept',
      );
    }
  }
  if (values.length > 0 && length <= maxNumberLength) checkValues(signal, values, problems);
};

/** Files write negative values of signed signals with and without a sign. */
const checkValues = (
  { at, name, length, isSigned }: DraftSignal,
  values: readonly ValueText[],
  problems: FileProblems,
): void => {
  const max = 2n ** BigInt(length) - 1n;
  const smallest = isSigned ? -(2n ** BigInt(length - 1)) : 0n;
  const stray = values.find(({ raw }) => raw > max || raw < smallest);
  if (stray === undefined) return;
  problems.warn(
    'value_out_of_range',
    at,
    `The value description ${shown(stray.text)} is for ${stray.raw}, which is out of range for ${shown(name)}`,
    'kept',
  );
};

export const fullName = (name: string, notes: Notes | undefined): string => notes?.longName || name;

type Naming = Pick<Message, 'name' | 'sharedName'>;

const naming = (name = '', written = ''): Naming =>
  name === written ? { name } : { name, sharedName: written };

export class MessageBuilder {
  readonly #draft: Draft;
  readonly #values: AttributeValues;
  readonly #known: KnownAttributes;
  readonly #problems: FileProblems;
  readonly #overlaps = new OverlapFinder();
  /** Notes whose message or signal exists. */
  readonly used = new Set<Notes>();
  readonly #nodeNames: ReadonlyMap<string, string>;

  constructor(
    draft: Draft,
    values: AttributeValues,
    known: KnownAttributes,
    nodeNames: ReadonlyMap<string, string>,
    problems: FileProblems,
  ) {
    this.#draft = draft;
    this.#values = values;
    this.#known = known;
    this.#nodeNames = nodeNames;
    this.#problems = problems;
  }

  build(): Message[] {
    const { messages: drafts, messageNotes } = this.#draft;
    const written = drafts.map(({ name, number }) => fullName(name, messageNotes.get(number)));
    const names = distinctNames(written);
    const messages = drafts.map((draft, index) =>
      this.#message(draft, naming(names[index], written[index])),
    );
    if (this.#overlaps.isExhausted) {
      this.#problems.warn(
        'overlap_check_incomplete',
        0,
        'There are too many long signals to check for all overlaps',
        'checked in part',
      );
    }
    return messages;
  }

  #message(draft: DraftMessage, named: Naming): Message {
    const notes = this.#draft.messageNotes.get(draft.number);
    this.#keep(notes, draft.at);
    const attributes = this.#values.attributesOf('message', notes?.attributes ?? null);
    const { fd, brs, isAssumed } = this.#known.frameKind(attributes, draft.length);
    if (isAssumed) this.#reportLength(draft);
    const oddity = oddityOf(draft.number);
    if (oddity !== undefined) this.#reportNumber(draft, oddity);
    const { id, extended } = referenceOf(draft.number);
    const built: Message = {
      name: named.name,
      id,
      extended,
      fd,
      brs,
      length: draft.length,
      senders: this.#senders(draft.sender, notes?.senders ?? []),
      cycleTimeMs: this.#known.cycleTimeMs(attributes),
      signals: this.#signals(draft),
      comment: notes?.comment ?? null,
      attributes,
    };
    const isGroup = extended && this.#known.isJ1939(attributes);
    // A literal with a spread takes ten times as long.
    const message =
      isGroup || named.sharedName !== undefined
        ? { ...built, ...named, ...(isGroup ? { pgn: pgnOf(id) } : {}) }
        : built;
    for (const { signal, other } of this.#overlaps.find(message)) {
      this.#problems.warn(
        'signals_overlap',
        draft.signals[signal]?.at ?? draft.at,
        `Signals ${shown(message.signals[signal]?.name ?? '')} and ${shown(message.signals[other]?.name ?? '')} of ${shown(message.name)} overlap`,
        'both kept',
      );
    }
    return message;
  }

  /** Messages of one number, and signals of one name, have the same notes: each keeps a copy. */
  #keep(notes: Notes | undefined, at: number): void {
    if (notes === undefined) return;
    if (this.used.has(notes)) this.#problems.keep(at, notes.entries);
    else this.used.add(notes);
  }

  #senders(first: string | null, others: readonly string[]): string[] {
    const all = first === null ? others : [first, ...others];
    const names = all.map((name) => this.#nodeNames.get(name) ?? name);
    return names.length < 2 ? names : [...new Set(names)];
  }

  #signals(message: DraftMessage): Signal[] {
    const notes = message.signals.map(({ name }) =>
      this.#draft.signalNotesOf(message.number, name),
    );
    const dependencies = resolveMultiplexing(message, notes, this.#problems);
    const written = message.signals.map(({ name }, index) => fullName(name, notes[index]));
    const names = distinctNames(written);
    const firstNames = new Map<string, string>();
    if (dependencies.switches.size > 0) {
      message.signals.forEach(({ name }, index) => {
        if (!firstNames.has(name)) firstNames.set(name, names[index] ?? name);
      });
    }
    return message.signals.map((draft, index) => {
      const own = notes[index];
      this.#keep(own, draft.at);
      const attributes = this.#values.attributesOf('signal', own?.attributes ?? null);
      const values = own?.values ?? [];
      const multiplexing = dependencies.multiplexing[index] ?? null;
      checkSignal(message, draft, values, this.#problems);
      const signal: Signal = {
        name: names[index] ?? '',
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
      const { sharedName } = naming(names[index], written[index]);
      return sharedName === undefined ? signal : { ...signal, sharedName };
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
      'treated as CAN FD',
    );
  }

  #reportNumber({ at, name, number }: DraftMessage, oddity: string): void {
    this.#problems.warn(
      'id_without_mark',
      at,
      `The number ${number} of message ${shown(name)} ${oddity}`,
      `treated as the 29-bit identifier 0x${referenceOf(number).id.toString(16)}`,
    );
  }
}

export const buildNodes = (draft: Draft, values: AttributeValues): Node[] =>
  draft.nodes.map(({ name }) => {
    const notes = draft.nodeNotes.get(name);
    return {
      name: fullName(name, notes),
      comment: notes?.comment ?? null,
      attributes: values.attributesOf('node', notes?.attributes ?? null),
    };
  });
