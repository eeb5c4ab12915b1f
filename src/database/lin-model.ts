import type { DecimalText } from './decimal-text.ts';

export const linFrameKinds = ['unconditional', 'event_triggered', 'diagnostic'] as const;
export type LinFrameKind = (typeof linFrameKinds)[number];

export const linChecksums = ['classic', 'enhanced'] as const;
export type LinChecksum = (typeof linChecksums)[number];

/** LIN properties of a message. Sporadic frames have no identifier and are no messages. */
export interface LinFrame {
  readonly kind: LinFrameKind;
  /** Null for a frame that several nodes send: event-triggered and slave response frames. */
  readonly publisher: string | null;
  readonly checksum: LinChecksum;
  /** Frames that an event-triggered frame carries, by name. */
  readonly frames: readonly string[];
  readonly collisionTable: string | null;
}

export interface LinSlave {
  readonly name: string;
  readonly protocol: string | null;
  readonly initialNad: number | null;
  readonly configuredNad: number | null;
  readonly product: LinProduct | null;
  readonly responseError: string | null;
  readonly faultStateSignals: readonly string[];
  readonly p2MinMs: DecimalText;
  readonly stMinMs: DecimalText;
  readonly nAsTimeoutMs: DecimalText;
  readonly nCrTimeoutMs: DecimalText;
  readonly configurableFrames: readonly LinConfigurableFrame[];
}

export interface LinProduct {
  readonly supplierId: number;
  readonly functionId: number;
  readonly variant: number;
}

export interface LinConfigurableFrame {
  readonly frame: string;
  /** Message identifier of LIN 2.0. */
  readonly messageId: number | null;
}

export interface LinSporadicFrame {
  readonly name: string;
  /** Messages in order of priority. */
  readonly frames: readonly string[];
}

/** Command of a schedule entry; node and frame are names. */
export type LinCommand =
  | { readonly kind: 'frame'; readonly frame: string }
  | { readonly kind: 'sporadic'; readonly frame: string }
  | { readonly kind: 'master_request' }
  | { readonly kind: 'slave_response' }
  | { readonly kind: 'assign_nad'; readonly node: string }
  | { readonly kind: 'save_configuration'; readonly node: string }
  | {
      readonly kind: 'assign_frame_id_range';
      readonly node: string;
      readonly index: number;
      /** Null: those of the configurable frames. */
      readonly pids: readonly number[] | null;
    }
  | { readonly kind: 'assign_frame_id'; readonly node: string; readonly frame: string }
  | { readonly kind: 'unassign_frame_id'; readonly node: string; readonly frame: string }
  | { readonly kind: 'data_dump'; readonly node: string; readonly data: readonly number[] }
  /** NAD, identifier, byte, mask, inversion and new NAD. */
  | { readonly kind: 'conditional_change_nad'; readonly data: readonly number[] }
  | { readonly kind: 'free_format'; readonly data: readonly number[] };

export interface LinScheduleEntry {
  readonly command: LinCommand;
  readonly delayMs: DecimalText;
}

export interface LinScheduleTable {
  readonly name: string;
  readonly entries: readonly LinScheduleEntry[];
}

export interface LinNetwork {
  readonly protocolVersion: string | null;
  readonly languageVersion: string | null;
  readonly bitRate: number | null;
  readonly channelName: string | null;
  readonly master: string | null;
  readonly timeBaseMs: DecimalText | null;
  readonly jitterMs: DecimalText | null;
  readonly slaves: readonly LinSlave[];
  readonly sporadicFrames: readonly LinSporadicFrame[];
  readonly scheduleTables: readonly LinScheduleTable[];
}
