import { deviceStatus } from '../frame/frm2-layout.ts';

/** Values of an event's `status`, beside which its flags say more. */
export const eventStatus = {
  ok: 0,
  /** CAN: an error on the bus; the payload tells which. LIN: nothing came back of what was sent. */
  bus_error: 1,
  /** CAN: no node acknowledged the frame. */
  no_acknowledge: 2,
  /** CAN: the controller changed its state without an error of its own. */
  state_change: 3,
  /** LIN: no node answered the header in time. */
  no_response: 4,
  /** LIN: the checksum is wrong for the model that was expected. */
  checksum_error: 5,
  /** LIN: two nodes spoke at once. */
  collision: 6,
  /** LIN: the header came at a rate too far from ours to follow it. */
  sync_error: 7,
  /** The device is gone; what happens on the bus from here on is not seen. */
  device_lost: deviceStatus.lost,
  /** The device is back. */
  device_returned: deviceStatus.returned,
  /**
   * CAN: the controller or the system had no room for events, which are missing before this one. It
   * looks as SocketCAN tells of a full controller; the last four bytes say how many are missing,
   * big-endian, and 0 where that is not known.
   */
  overrun: 10,
} as const;

export type EventStatus = keyof typeof eventStatus;
