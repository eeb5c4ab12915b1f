import type { Database } from '../../database/model.ts';
import type { TableFormat } from '../table-format.ts';

export interface ChosenDatabase {
  readonly name: string;
  readonly database: Database;
  /** Number, `C1`, `L1` or a name of the trace; null for every channel. */
  readonly channel: string | null;
}

export interface DecodeSettings {
  readonly format: TableFormat;
  readonly databases: readonly ChosenDatabase[];
  /** `Message.Signal`, with `*` in either part; null for all signals. */
  readonly signals: readonly string[] | null;
  readonly wide: boolean;
  /** Interval between rows of a wide table; null for a row at each frame. */
  readonly everyUs: number | null;
}
