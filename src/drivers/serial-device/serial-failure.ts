import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { LinkErrorOf } from '../../base/serial/byte-link.ts';

interface Cause {
  readonly text: string;
  /** What mends it. */
  readonly hint?: string;
}

const causes: ReadonlyMap<string, Cause> = new Map([
  [
    'EACCES',
    {
      text: 'this user may not open it',
      hint: 'Run `sudo usermod -aG dialout $USER` and log in again',
    },
  ],
  ['ENOENT', { text: 'there is no such device', hint: 'See `ls /dev/serial/by-id`' }],
  ['ENXIO', { text: 'there is no device behind it' }],
  ['in_use', { text: 'another program uses it', hint: 'See `sudo fuser -v <device>`' }],
  ['not_a_serial_port', { text: 'it is not a serial port' }],
  ['baud_rate_refused', { text: 'it cannot be set to that baud rate' }],
  ['data_format_refused', { text: 'it cannot be set to that data format' }],
  ['device_moved', { text: 'its name leads to another device now' }],
  ['hung_up', { text: 'it was unplugged' }],
  ['EIO', { text: 'it was unplugged' }],
]);

/** A serial port that a driver cannot use; the reason is an errno name or a word of the port. */
export const serialFailure: LinkErrorOf = (device, reason, cause) => {
  const known = causes.get(reason);
  const hint = known?.hint?.replace('<device>', device);
  const said = `${device} cannot be used: ${known?.text ?? reason}`;
  return new BusbarError('hardware_error', {
    message: hint === undefined ? said : `${said}. ${hint}.`,
    details: { reason, device, ...(hint !== undefined && { hint }) },
    cause,
    hint,
  });
};
