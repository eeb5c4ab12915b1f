/** What became of a frame that was to be sent. With anything but `accepted` nothing was queued. */
export type SendResult =
  | 'accepted'
  /** The queue has no room; try again after the next completion. */
  | 'full'
  | 'bus_off'
  | 'listen_only'
  | 'lost'
  /** LIN: only a master sends headers. */
  | 'not_master'
  | 'unpowered'
  /** Such a frame does not exist on this bus. */
  | 'not_on_bus';

/** Why a port did not take a frame. */
export type NotTaken = Exclude<SendResult, 'accepted'>;

/** Why a port does not take a frame that it would have room for: waiting does not help. */
export type SendRefusal = Exclude<NotTaken, 'full'>;
