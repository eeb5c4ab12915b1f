import type { LinCommand } from '../../lin-model.ts';
import type { DecimalText } from '../../model.ts';

/** A name that refers to something else in the file, and where it is. */
export interface Reference {
  readonly at: number;
  readonly name: string;
}

export interface DraftSignal extends Reference {
  readonly width: number;
  readonly initial: number | readonly number[];
  readonly initialAt: number;
  readonly publisher: Reference | null;
  readonly subscribers: readonly Reference[];
}

export interface DraftPosition extends Reference {
  readonly offset: number;
}

export interface DraftFrame extends Reference {
  readonly id: number;
  readonly idAt: number;
  readonly publisher: Reference | null;
  readonly length: number | null;
  readonly signals: readonly DraftPosition[];
}

export interface DraftEventFrame extends Reference {
  readonly table: Reference | null;
  readonly id: number;
  readonly frames: readonly Reference[];
}

export interface DraftSporadicFrame extends Reference {
  readonly frames: readonly Reference[];
}

/** Diagnostic address of a node in LIN 1.x, where nodes have no attributes. */
export interface DraftAddress extends Reference {
  readonly nad: number;
}

export interface DraftMaster extends Reference {
  readonly timeBaseMs: DecimalText;
  readonly jitterMs: DecimalText;
}

/** Attributes of a slave as written; absent ones have the default of their version. */
export interface DraftNode extends Reference {
  protocol: string | null;
  configuredNad: number | null;
  initialNad: number | null;
  product: readonly number[] | null;
  responseError: Reference | null;
  faultStateSignals: readonly Reference[];
  p2MinMs: DecimalText | null;
  stMinMs: DecimalText | null;
  nAsTimeoutMs: DecimalText | null;
  nCrTimeoutMs: DecimalText | null;
  configurableFrames: readonly { readonly frame: Reference; readonly messageId: number | null }[];
}

/** A command whose node and frame are not resolved yet. */
export interface DraftCommand {
  readonly kind: LinCommand['kind'];
  readonly node?: Reference;
  readonly frame?: Reference;
  readonly data: readonly number[];
}

export interface DraftEntry {
  readonly at: number;
  readonly command: DraftCommand;
  readonly delayMs: DecimalText;
}

export interface DraftTable extends Reference {
  readonly entries: readonly DraftEntry[];
}

export type DraftValue =
  | { readonly kind: 'logical'; readonly at: number; readonly raw: number; readonly text: string }
  | {
      readonly kind: 'physical';
      readonly at: number;
      readonly from: number;
      readonly to: number;
      readonly factor: DecimalText;
      readonly offset: DecimalText;
      readonly unit: string;
    }
  | { readonly kind: 'bcd' | 'ascii'; readonly at: number };

export interface DraftEncoding extends Reference {
  readonly values: readonly DraftValue[];
}

export interface DraftRepresentation extends Reference {
  readonly signals: readonly Reference[];
}

/** Sections of a file as written. They can have any order, so names are resolved afterwards. */
export class Draft {
  protocolVersion: string | null = null;
  languageVersion: string | null = null;
  bitRate: number | null = null;
  channelName: string | null = null;
  master: DraftMaster | null = null;
  readonly slaves: Reference[] = [];
  readonly signals: DraftSignal[] = [];
  readonly diagnosticSignals: DraftSignal[] = [];
  readonly frames: DraftFrame[] = [];
  readonly diagnosticFrames: DraftFrame[] = [];
  readonly sporadicFrames: DraftSporadicFrame[] = [];
  readonly eventFrames: DraftEventFrame[] = [];
  readonly addresses: DraftAddress[] = [];
  readonly nodes: DraftNode[] = [];
  readonly tables: DraftTable[] = [];
  readonly encodings: DraftEncoding[] = [];
  readonly representations: DraftRepresentation[] = [];
}
