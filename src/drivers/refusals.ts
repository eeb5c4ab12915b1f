import { BusbarError, type ErrorDetails } from '../base/errors/busbar-error.ts';

/** Error for an unsupported setting or an invalid value. */
export const unsupportedByHardware = (
  setting: string,
  message: string,
  details: ErrorDetails = {},
): BusbarError =>
  new BusbarError('unsupported_by_hardware', {
    message,
    details: { reason: 'unsupported', field: setting, setting, ...details },
  });

export const noSuchPort = (sn: string, port: number): BusbarError =>
  new BusbarError('channel_not_found', {
    message: `Device ${sn} has no port ${port}`,
    details: { reason: 'no_such_port', sn, port },
  });

export const portInUse = (sn: string, port: number): BusbarError =>
  new BusbarError('busy', {
    message: `Port ${port} of ${sn} is already open`,
    details: { reason: 'port_in_use', sn, port },
  });

export const deviceLost = (sn: string): BusbarError =>
  new BusbarError('hardware_error', {
    message: `The device ${sn} was disconnected`,
    details: { reason: 'device_lost', sn },
  });
