import { describe, expect, it } from 'vitest';
import { serialFailure, serialFailureWith } from './serial-failure.ts';
import { portRight } from './serial-needs.ts';

const device = '/dev/ttyUSB0';
const hintWith = (right: string) => serialFailureWith(() => right)(device, 'EACCES').hint;

describe('a serial port that cannot be used', () => {
  it.each([
    ['usermod -aG uucp ada', 'Run `sudo usermod -aG uucp ada` and log in again'],
    ['chmod a+rw /dev/pts/5', 'Run `sudo chmod a+rw /dev/pts/5`'],
  ])('names the command that gives the right: %s', (right, hint) => {
    expect(hintWith(right)).toBe(hint);
  });

  it('names the same command as the list of devices', () => {
    const { message, details, hint } = serialFailure('/dev/null', 'EACCES');
    expect(hint).toContain(portRight('/dev/null'));
    expect(details).toEqual({ reason: 'EACCES', device: '/dev/null' });
    expect(message).toBe('Cannot use /dev/null: permission denied');
  });

  it('is worth another try unless the device, or the right to it, is missing', () => {
    const retryable = (reason: string) => serialFailure(device, reason).retryable;
    expect(['in_use', 'hung_up', 'EIO'].map(retryable)).toEqual([true, true, true]);
    expect(['ENOENT', 'EACCES', 'ENXIO'].map(retryable)).toEqual([false, false, false]);
  });

  it('tells what else is wrong with it', () => {
    expect(serialFailure(device, 'in_use').hint).toBe('See `sudo fuser -v /dev/ttyUSB0`');
    expect(serialFailure(device, 'hung_up').message).toContain('it was unplugged');
    expect(serialFailure(device, 'E2BIG').message).toBe(`Cannot use ${device}: E2BIG`);
  });
});
