import type { DecimalText } from './decimal-text.ts';
import type { LinFrame, LinNetwork } from './lin-model.ts';

/**
 * Neutral model of the frames of a network, independent of the file format. It is plain data
 * that can cross threads. Content that only one format has is in its `specifics`.
 */

export type { DecimalText } from './decimal-text.ts';

export const byteOrders = ['intel', 'motorola'] as const;
export type ByteOrder = (typeof byteOrders)[number];

export type RawKind = 'unsigned' | 'signed' | 'float32' | 'float64';

/** Raw values of a switch, inclusive. Beyond 2^53 only bigint is exact. */
export interface RawRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** A multiplexed signal is present while its switch has one of these raw values. */
export interface Multiplexing {
  /** Name of the switch, a signal of the same message that can also be multiplexed. */
  readonly switch: string;
  readonly ranges: readonly RawRange[];
}

export interface ValueText {
  readonly raw: bigint;
  readonly text: string;
}

/** Raw values, inclusive, with a scale and a unit of their own. */
export interface ScaledRange extends RawRange {
  readonly factor: DecimalText;
  readonly offset: DecimalText;
  readonly unit: string;
}

export const arrayTexts = ['hex', 'bcd', 'ascii'] as const;
/** Text of a byte array: hexadecimal digits, one decimal digit per byte, or characters. */
export type ArrayText = (typeof arrayTexts)[number];

export type AttributeValue =
  | { readonly kind: 'number'; readonly number: DecimalText }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'choice'; readonly index: number; readonly text: string };

export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface Signal {
  readonly name: string;
  readonly sharedName?: string;
  /**
   * Intel: number of the least significant bit. Motorola: number of the most significant bit.
   */
  readonly startBit: number;
  readonly length: number;
  readonly byteOrder: ByteOrder;
  readonly kind: RawKind;
  readonly factor: DecimalText;
  readonly offset: DecimalText;
  readonly minimum: DecimalText | null;
  readonly maximum: DecimalText | null;
  readonly unit: string;
  readonly receivers: readonly string[];
  readonly isSwitch: boolean;
  readonly multiplexing: Multiplexing | null;
  readonly values: readonly ValueText[];
  /**
   * The first range that contains the raw value scales it; a raw value outside all of them has
   * no physical value. Absent if `factor` and `offset` scale every raw value.
   */
  readonly ranges?: readonly ScaledRange[];
  /**
   * Set for a byte array. Its raw value is the little-endian integer, so that the first byte
   * sent is the least significant one.
   */
  readonly array?: ArrayText;
  readonly initialRaw: DecimalText | null;
  readonly comment: string | null;
  readonly attributes: Attributes;
}

export interface Message {
  readonly name: string;
  readonly sharedName?: string;
  /** Identifier on the bus, without the 29-bit mark. */
  readonly id: number;
  readonly extended: boolean;
  /**
   * J1939 parameter group number: frames of that group match the message, regardless of
   * priority and addresses. Absent if only the identifier matches.
   */
  readonly pgn?: number;
  readonly fd: boolean;
  readonly brs: boolean;
  readonly length: number;
  readonly senders: readonly string[];
  readonly cycleTimeMs: number | null;
  readonly signals: readonly Signal[];
  readonly comment: string | null;
  readonly attributes: Attributes;
  /** Set for messages of a LIN network. */
  readonly lin?: LinFrame;
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
  readonly specifics: Specifics;
  /** Set for a LIN network. */
  readonly lin?: LinNetwork;
}
