/**
 * What a database says about the frames of a network, whatever file it came from. Plain data, so
 * that it can cross threads. Formats keep what only they know in `specifics` of their own.
 */

/**
 * A number as the file wrote it, in the grammar of JSON numbers: `0.1` stays a tenth and `3.4E+038`
 * stays short.
 */
export type DecimalText = string;

export const byteOrders = ['intel', 'motorola'] as const;
export type ByteOrder = (typeof byteOrders)[number];

/** How the bits of a signal make a number. */
export type RawKind = 'unsigned' | 'signed' | 'float32' | 'float64';

/** Raw values of a switch, both ends included. Beyond 2^53 only bigint is exact. */
export interface RawRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** When a signal is in its message: while the switch has one of these raw values. */
export interface Multiplexing {
  /** Name of the switch, a signal of the same message, perhaps multiplexed itself. */
  readonly switch: string;
  readonly ranges: readonly RawRange[];
}

export interface ValueText {
  readonly raw: bigint;
  readonly text: string;
}

/** A value of an attribute: a number in decimal, a text, or the name out of a list. */
export type AttributeValue =
  | { readonly kind: 'number'; readonly number: DecimalText }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'choice'; readonly index: number; readonly text: string };

export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface Signal {
  /** No other signal of the message has it. */
  readonly name: string;
  /** The name in the file, where an earlier signal of the message has it already. */
  readonly sharedName?: string;
  /** Intel: number of the least significant bit. Motorola: number of the most significant one. */
  readonly startBit: number;
  readonly length: number;
  readonly byteOrder: ByteOrder;
  readonly kind: RawKind;
  /** physical = raw × factor + offset */
  readonly factor: DecimalText;
  readonly offset: DecimalText;
  /** Physical limits; null where there are none. */
  readonly minimum: DecimalText | null;
  readonly maximum: DecimalText | null;
  readonly unit: string;
  readonly receivers: readonly string[];
  /** Other signals of the message depend on its raw value. */
  readonly isSwitch: boolean;
  readonly multiplexing: Multiplexing | null;
  readonly values: readonly ValueText[];
  /** Raw value that it starts with; null where the file does not say. */
  readonly initialRaw: DecimalText | null;
  readonly comment: string | null;
  readonly attributes: Attributes;
}

export interface Message {
  /** No other message of the database has it. */
  readonly name: string;
  /** The name in the file, where an earlier message has it already. */
  readonly sharedName?: string;
  /** The identifier on the bus, without marks. */
  readonly id: number;
  readonly extended: boolean;
  /**
   * Number of the J1939 parameter group that it is: frames of that group are its own, whatever their
   * priority and addresses. Absent where only its identifier counts.
   */
  readonly pgn?: number;
  readonly fd: boolean;
  readonly brs: boolean;
  /** Bytes of payload. */
  readonly length: number;
  readonly senders: readonly string[];
  readonly cycleTimeMs: number | null;
  readonly signals: readonly Signal[];
  readonly comment: string | null;
  readonly attributes: Attributes;
}

export interface Node {
  readonly name: string;
  readonly comment: string | null;
  readonly attributes: Attributes;
}

export interface ValueTable {
  readonly name: string;
  readonly values: readonly ValueText[];
}

export interface Database<Specifics = unknown> {
  readonly format: string;
  readonly version: string | null;
  readonly comment: string | null;
  readonly nodes: readonly Node[];
  readonly messages: readonly Message[];
  readonly valueTables: readonly ValueTable[];
  readonly attributes: Attributes;
  /** What only this format knows, for writing it again. */
  readonly specifics: Specifics;
}
