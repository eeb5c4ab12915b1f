import { BusbarError } from '../../base/errors/busbar-error.ts';
import { retryableUnlessLasting } from '../../base/errors/lasting-reasons.ts';
import type { LinkErrorOf } from '../../base/serial/byte-link.ts';
import { portRight } from './serial-needs.ts';

interface Cause {
  readonly text: string;
  readonly hint?: string;
}

const causes: ReadonlyMap<string, Cause> = new Map([
  ['EACCES', { text: 'permission denied', hint: 'Run `sudo <right>`' }],
  ['ENOENT', { text: 'no such device', hint: 'See `ls /dev/serial/by-id`' }],
  ['ENXIO', { text: 'the device is not connected' }],
  ['in_use', { text: 'another program is using it', hint: 'See `sudo fuser -v <device>`' }],
  ['not_a_serial_port', { text: 'it is not a serial port' }],
  ['baud_rate_refused', { text: 'it does not support the baud rate' }],
  ['data_format_refused', { text: 'it does not support the data format' }],
  ['device_moved', { text: 'its path now belongs to another device' }],
  ['hung_up', { text: 'it was unplugged' }],
  ['EIO', { text: 'it was unplugged' }],
]);

const hintOf = (hint: string, device: string, rightOf: (path: string) => string): string => {
  const named = hint.replace('<device>', () => device);
  if (!named.includes('<right>')) return named;
  const right = rightOf(device);
  const said = named.replace('<right>', () => right);
  // A new group takes effect at the next login.
  return right.startsWith('usermod') ? `${said} and log in again` : said;
};

/**
 * Error for a serial port that a driver cannot use. The reason is an errno name or the port's
 * own text.
 */
export const serialFailureWith =
  (rightOf: (path: string) => string): LinkErrorOf =>
  (device, reason, cause) => {
    const known = causes.get(reason);
    const hint = known?.hint === undefined ? undefined : hintOf(known.hint, device, rightOf);
    return new BusbarError('hardware_error', {
      message: `Cannot use ${device}: ${known?.text ?? reason}`,
      details: { reason, device },
      retryable: retryableUnlessLasting(reason),
      cause,
      hint,
    });
  };

export const serialFailure = serialFailureWith(portRight);
