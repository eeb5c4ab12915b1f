/** Result of a send. Only `accepted` queues the frame. */
export type SendResult =
  | 'accepted'
  | 'full'
  | 'bus_off'
  | 'listen_only'
  | 'lost'
  /** LIN: only a master sends headers. */
  | 'not_master'
  | 'unpowered'
  | 'not_on_bus';

export type RefusedSend = Exclude<SendResult, 'accepted'>;

/** Refusals that waiting does not change. */
export type SendRefusal = Exclude<RefusedSend, 'full'>;
