import type { DecimalText, RawRange, ValueText } from '../../model.ts';
import type {
  DbcAttributeOwner,
  DbcAttributeType,
  DbcBitTiming,
  DbcEnvironmentVariable,
} from '../specifics.ts';

/** Value of an attribute. */
export interface DraftValue {
  readonly name: string;
  readonly offset: number;
  readonly isText: boolean;
  readonly text: string;
}

export class Notes {
  readonly offset: number;
  comment: string | null = null;
  /** The name in full, if the one of the statement is cut. */
  longName: string | null = null;
  /** If a name occurs twice, the last one counts. */
  attributes: DraftValue[] | null = null;
  values: ValueText[] | null = null;

  constructor(offset: number) {
    this.offset = offset;
  }

  get entries(): number {
    return (this.attributes?.length ?? 0) + (this.values?.length ?? 0);
  }
}

export interface DraftMultiplexing {
  readonly offset: number;
  readonly switch: string;
  readonly ranges: readonly RawRange[];
}

export class SignalNotes extends Notes {
  valueType: number | null = null;
  multiplexing: DraftMultiplexing | null = null;

  override get entries(): number {
    return super.entries + (this.multiplexing?.ranges.length ?? 0);
  }
}

const noSenders: readonly string[] = [];

/** Messages with the same number share their notes. */
export class MessageNotes extends Notes {
  senders: readonly string[] = noSenders;

  override get entries(): number {
    return super.entries + this.senders.length;
  }
}

export interface DraftSignal {
  readonly at: number;
  readonly name: string;
  readonly isSwitch: boolean;
  readonly switchValue: bigint | null;
  readonly startBit: number;
  readonly length: number;
  readonly isMotorola: boolean;
  readonly isSigned: boolean;
  readonly factor: DecimalText;
  readonly offset: DecimalText;
  readonly minimum: DecimalText | null;
  readonly maximum: DecimalText | null;
  readonly unit: string;
  readonly receivers: readonly string[];
}

export interface DraftMessage {
  readonly at: number;
  readonly number: number;
  readonly name: string;
  readonly length: number;
  readonly sender: string | null;
  readonly signals: DraftSignal[];
}

export interface DraftDefinition {
  readonly at: number;
  readonly owner: DbcAttributeOwner;
  readonly name: string;
  readonly type: DbcAttributeType;
  readonly minimum: DecimalText | null;
  readonly maximum: DecimalText | null;
  readonly choices: readonly string[];
}

export interface DraftRelation {
  readonly node: string;
  readonly target:
    | { readonly kind: 'signal'; readonly number: number; readonly signal: string }
    | { readonly kind: 'message'; readonly number: number }
    | { readonly kind: 'environment_variable'; readonly variable: string };
  readonly value: DraftValue;
}

export interface DraftGroup {
  readonly number: number;
  readonly name: string;
  readonly repetitions: number;
  readonly signals: readonly string[];
}

export type DraftVariable = Omit<
  DbcEnvironmentVariable,
  'values' | 'comment' | 'attributes' | 'dataSize'
> & { readonly at: number };

/**
 * Parsed statements of a file. Statements can have any order and refer to later ones, so the
 * database is built after all of them are read.
 */
export class Draft {
  version: string | null = null;
  comment: string | null = null;
  bitTiming: DbcBitTiming | null = null;
  readonly nodes: { readonly at: number; readonly name: string }[] = [];
  readonly valueTables: { readonly name: string; readonly values: readonly ValueText[] }[] = [];
  readonly messages: DraftMessage[] = [];
  readonly variables: DraftVariable[] = [];
  readonly dataSizes = new Map<string, number>();
  readonly groups: DraftGroup[] = [];
  readonly definitions: DraftDefinition[] = [];
  readonly defaults = new Map<string, DraftValue>();
  readonly relationDefaults = new Map<string, DraftValue>();
  readonly relations: DraftRelation[] = [];
  readonly attributes: DraftValue[] = [];
  readonly nodeNotes = new Map<string, Notes>();
  readonly messageNotes = new Map<number, MessageNotes>();
  /** By number of the message and name: a map for each message would take most of the memory. */
  readonly signalNotes = new Map<string, SignalNotes>();
  readonly variableNotes = new Map<string, Notes>();
  readonly independent = new Set<number>();
  /** Message of the signals that follow; null after a message that could not be parsed. */
  current: DraftMessage | null = null;
  hasMessage = false;

  notesOnNode(name: string, offset: number): Notes {
    return noteIn(this.nodeNotes, name, () => new Notes(offset));
  }

  notesOnVariable(name: string, offset: number): Notes {
    return noteIn(this.variableNotes, name, () => new Notes(offset));
  }

  notesOnMessage(number: number, offset: number): MessageNotes {
    return noteIn(this.messageNotes, number, () => new MessageNotes(offset));
  }

  notesOnSignal(number: number, name: string, offset: number): SignalNotes {
    return noteIn(this.signalNotes, signalKey(number, name), () => new SignalNotes(offset));
  }

  signalNotesOf(number: number, name: string): SignalNotes | undefined {
    return this.signalNotes.size === 0 ? undefined : this.signalNotes.get(signalKey(number, name));
  }
}

const signalKey = (number: number, name: string): string => `${number} ${name}`;

/** Number of the message and name of the signal. */
export const partsOfKey = (key: string): readonly [number: number, name: string] => {
  const end = key.indexOf(' ');
  return [Number(key.slice(0, end)), key.slice(end + 1)];
};

const noteIn = <Key, Note>(all: Map<Key, Note>, key: Key, make: () => Note): Note => {
  let notes = all.get(key);
  if (notes === undefined) {
    notes = make();
    all.set(key, notes);
  }
  return notes;
};
