import type { RowPlace } from './chunk-view.ts';
import type { MessageNames } from './message-names.ts';

/** How the file calls things. */
export interface ExportContext {
  /** The channel that had a slot at a time. */
  readonly channelName: (slot: number, us: number) => string;
  /** Its number in the file, from 1. */
  readonly channelNumber: (slot: number, us: number) => number;
  readonly names: MessageNames;
}

/** Turns rows into the lines of a file. */
export interface TraceWriter {
  readonly head: string;
  /** The line of a row with its end; empty for what the format has no words for. */
  line(place: RowPlace): string;
  /** What completes the file. */
  end(): string;
}
