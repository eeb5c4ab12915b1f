import { linSlaveResponseId } from '../frame/lin.ts';

/**
 * Schedule tables of a LIN network, compiled for its master. Plain data that crosses threads.
 */
export interface SchedulePlan {
  /** Frames that the master publishes. */
  readonly frames: readonly PublishedFrame[];
  /** Tables of the file, then those that poll the frames of an event-triggered frame. */
  readonly tables: readonly TablePlan[];
}

export interface PublishedFrame {
  readonly message: string;
  readonly id: number;
  readonly enhanced: boolean;
  /** Payload at the start. */
  readonly data: Uint8Array;
}

export interface TablePlan {
  readonly name: string;
  /** Whether the file has this table, so that it can be named. */
  readonly isNamed: boolean;
  readonly slots: readonly SlotPlan[];
  /** Why the table cannot run. */
  readonly fault: TableFault | null;
}

export interface TableFault {
  readonly reason:
    | 'no_slots'
    | 'slot_too_short'
    | 'identifier_out_of_range'
    | 'frame_length'
    | 'node_without_address'
    | 'no_message_identifier';
  readonly message: string;
}

export interface SlotPlan {
  readonly action: SlotAction;
  readonly lengthUs: number;
}

export type SlotAction =
  /** A frame of the master, by its index. */
  | { readonly kind: 'publish'; readonly frame: number }
  /** The first of these frames that has changed since it was sent; otherwise no header. */
  | { readonly kind: 'changed'; readonly frames: readonly number[] }
  /** A frame of a diagnostic request; without one, as `changed`. */
  | { readonly kind: 'request'; readonly frames: readonly number[] }
  /** A master request whose bytes the table gives. */
  | { readonly kind: 'command'; readonly data: Uint8Array }
  /** A header that slaves respond to. */
  | (ReadFrame & { readonly kind: 'read' })
  /** A header that several slaves may respond to; a collision runs another table once. */
  | (ReadFrame & { readonly kind: 'event'; readonly collisionTable: number });

export interface ReadFrame {
  readonly id: number;
  readonly enhanced: boolean;
  readonly length: number;
}

/** Whether a slot can carry a response to a diagnostic request. */
export const isSlaveResponse = (action: SlotAction): boolean =>
  action.kind === 'read' && action.id === linSlaveResponseId;

/**
 * Longest time until a table has read a response that is ready: a run, and the slot itself. Null
 * without diagnostic slots of both kinds.
 */
export const diagnosticPollUs = ({ slots }: TablePlan): number | null => {
  const polls = slots.filter(({ action }) => isSlaveResponse(action));
  const hasRequests = slots.some(({ action }) => action.kind === 'request');
  if (!hasRequests || polls.length === 0) return null;
  const runUs = slots.reduce((sum, { lengthUs }) => sum + lengthUs, 0);
  return runUs + Math.max(...polls.map(({ lengthUs }) => lengthUs));
};

/** Leaves time for other senders, as the shortest period of a cyclic task does. */
export const minSlotUs = 100;

/** Tables of real networks have up to some hundred entries. */
export const maxScheduleSlots = 4096;
