import type { ColumnType } from './column-type.ts';

/** A signal on a channel: what all its samples have in common. */
export interface Series {
  readonly channel: string;
  readonly message: string;
  readonly signal: string;
  readonly unit: string;
  /** Labels that samples refer to; grows while samples are decoded. */
  readonly labels: readonly string[];
  readonly places: number;
  /** Values are texts, even those of digits. */
  readonly isText: boolean;
  /** Column of a wide table. */
  readonly column: number;
}

export interface WideColumn {
  readonly name: string;
  readonly type: ColumnType;
}
