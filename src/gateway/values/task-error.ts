/**
 * Why the last transmission of a task failed. The index is the number in shared memory; 0 means
 * none.
 */
export const taskErrors = [
  'fault_conflict',
  'tx_failed',
  'outcome_unknown',
  'queue_full',
  'bus_off',
  'listen_only',
  'device_lost',
  'unpowered',
  'not_on_bus',
  'channel_not_open',
  'modbus_exception',
  'modbus_timeout',
  'modbus_unreachable',
  'modbus_bad_reply',
  'native_failed',
] as const;
export type TaskError = (typeof taskErrors)[number];

export const taskErrorMessages: Readonly<Record<TaskError, string>> = {
  fault_conflict: 'Fault rules that exclude each other fired together; nothing was sent',
  tx_failed: 'The channel failed to send an accepted frame',
  outcome_unknown: 'The send result was overwritten before it was read',
  queue_full: 'The queue of the channel or link is full',
  bus_off: 'The channel is bus off',
  listen_only: 'The channel is in listen-only mode',
  device_lost: 'The device is disconnected',
  unpowered: 'The channel has no bus power',
  not_on_bus: 'The bus of the channel does not support this frame type',
  channel_not_open: 'The channel is not open',
  modbus_exception: 'The unit refused a request',
  modbus_timeout: 'The unit did not answer in time',
  modbus_unreachable: 'The link to the unit is down',
  modbus_bad_reply: 'The unit sent an invalid response',
  native_failed: 'The plugin could not protect the frame',
};

/** Returns whether an endpoint that is down caused the error, rather than a transmission. */
export const isLoss = (error: TaskError | null): boolean =>
  error === 'channel_not_open' || error === 'device_lost' || error === 'modbus_unreachable';

export const taskErrorNumber = (error: TaskError | null): number =>
  error === null ? 0 : taskErrors.indexOf(error) + 1;

export const taskErrorOf = (number: number): TaskError | null => taskErrors[number - 1] ?? null;
