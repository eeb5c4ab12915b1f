import { deviceStatus } from '../frame/frm2-layout.ts';

/** Values of `status`; flags say more. */
export const eventStatus = {
  ok: 0,
  /**
   * CAN: an error on the bus, described by the payload. LIN: nothing of what was sent came
   * back.
   */
  bus_error: 1,
  /** CAN: not acknowledged. */
  no_acknowledge: 2,
  state_change: 3,
  /** LIN: no response in time. */
  no_response: 4,
  /** LIN: wrong checksum for the expected model. */
  checksum_error: 5,
  /** LIN: two nodes sent together. */
  collision: 6,
  /** LIN: the header's rate is too far from ours. */
  sync_error: 7,
  /** The device is gone; later bus events are not seen. */
  device_lost: deviceStatus.lost,
  device_returned: deviceStatus.returned,
  /**
   * CAN: the controller or the system had no room for events, which are missing before this
   * one. Formatted like SocketCAN's controller overflow; the last four bytes are the number of
   * missing events, big-endian, 0 if unknown.
   */
  overrun: 10,
} as const;

export type EventStatus = keyof typeof eventStatus;
