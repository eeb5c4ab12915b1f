import type { DecimalText, RawRange, ValueText } from '../../model.ts';
import type {
  DbcAttributeOwner,
  DbcAttributeType,
  DbcBitTiming,
  DbcEnvironmentVariable,
} from '../specifics.ts';

export interface DraftValue {
  readonly offset: number;
  readonly isText: boolean;
  readonly text: string;
}

export class Notes {
  readonly offset: number;
  comment: string | null = null;
  attributes: Map<string, DraftValue> | null = null;
  values: ValueText[] | null = null;

  constructor(offset: number) {
    this.offset = offset;
  }

  get entries(): number {
    return (this.attributes?.size ?? 0) + (this.values?.length ?? 0);
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
  signals: Map<string, SignalNotes> | null = null;

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
  readonly name: string;
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
  readonly attributes = new Map<string, DraftValue>();
  readonly nodeNotes = new Map<string, Notes>();
  readonly messageNotes = new Map<number, MessageNotes>();
  readonly variableNotes = new Map<string, Notes>();
  readonly independent = new Set<number>();
  /** Message of the signals that follow; null after a message that could not be parsed. */
  current: DraftMessage | null = null;
  hasMessage = false;

  notesOnNode(name: string, offset: number): Notes {
    return this.#notesIn(this.nodeNotes, name, offset);
  }

  notesOnVariable(name: string, offset: number): Notes {
    return this.#notesIn(this.variableNotes, name, offset);
  }

  notesOnMessage(number: number, offset: number): MessageNotes {
    let notes = this.messageNotes.get(number);
    if (notes === undefined) {
      notes = new MessageNotes(offset);
      this.messageNotes.set(number, notes);
    }
    return notes;
  }

  notesOnSignal(number: number, name: string, offset: number): SignalNotes {
    const message = this.notesOnMessage(number, offset);
    message.signals ??= new Map();
    let notes = message.signals.get(name);
    if (notes === undefined) {
      notes = new SignalNotes(offset);
      message.signals.set(name, notes);
    }
    return notes;
  }

  #notesIn(all: Map<string, Notes>, name: string, offset: number): Notes {
    let notes = all.get(name);
    if (notes === undefined) {
      notes = new Notes(offset);
      all.set(name, notes);
    }
    return notes;
  }
}
