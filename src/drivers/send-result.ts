/** Result of a send. Only `accepted` queues the frame. */
export type SendResult =
  | 'accepted'
  /** No room; try again after the next completion. */
  | 'full'
  | 'bus_off'
  | 'listen_only'
  | 'lost'
  /** LIN: only a master sends headers. */
  | 'not_master'
  | 'unpowered'
  /** No such frame on this bus. */
  | 'not_on_bus';

/** Why a frame was not accepted. */
export type RefusedSend = Exclude<SendResult, 'accepted'>;

/** Refusals that waiting does not change. */
export type SendRefusal = Exclude<RefusedSend, 'full'>;
