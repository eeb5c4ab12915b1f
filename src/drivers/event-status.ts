import { deviceStatus } from '../frame/frm2-layout.ts';

/** Values of `status`. Flags add details. */
export const eventStatus = {
  ok: 0,
  /** CAN: bus error, described by the payload. LIN: no sent byte was received back. */
  bus_error: 1,
  no_acknowledge: 2,
  state_change: 3,
  no_response: 4,
  checksum_error: 5,
  collision: 6,
  /** LIN: the header's bit rate is too far from ours. */
  sync_error: 7,
  device_lost: deviceStatus.lost,
  device_returned: deviceStatus.returned,
  /**
   * CAN: the controller or the system dropped events before this one. Same format as
   * SocketCAN's controller overflow; the last four bytes are the number of missing events,
   * big-endian, 0 if unknown.
   */
  overrun: 10,
} as const;

export type EventStatus = keyof typeof eventStatus;
