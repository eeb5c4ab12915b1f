import { describe, expect, it } from 'vitest';
import { linUartAddressError, parseLinUartAddress } from './lin-uart-address.ts';

describe('the address of a LIN adapter', () => {
  it('is the name of its serial port', () => {
    expect(linUartAddressError('/dev/ttyUSB0')).toBeUndefined();
    expect(parseLinUartAddress('/dev/ttyUSB0')).toEqual({
      named: '/dev/ttyUSB0',
      breakMethod: 'hold',
      echoes: true,
      slackUs: 10_000,
    });
  });

  it('may say what the adapter is like', () => {
    const text = '/dev/serial/by-id/usb-x-if00,slack_ms=25,echo=off,break=baud';
    expect(linUartAddressError(text)).toBeUndefined();
    expect(parseLinUartAddress(text)).toEqual({
      named: '/dev/serial/by-id/usb-x-if00',
      breakMethod: 'baud',
      echoes: false,
      slackUs: 25_000,
    });
  });

  it.each([
    ['', 'path'],
    ['ttyUSB0', 'path'],
    [',echo=on', 'path'],
    ['/dev/a,', 'break, echo, slack_ms'],
    ['/dev/a,toString=1', 'toString'],
    ['/dev/a,break', 'hold or baud'],
    ['/dev/a,break=long', 'hold or baud'],
    ['/dev/a,echo=maybe', 'on or off'],
    ['/dev/a,slack_ms=0', '1 to 500'],
    ['/dev/a,slack_ms=501', '1 to 500'],
    ['/dev/a,slack_ms=1e1', '1 to 500'],
    ['/dev/a,echo=on,echo=on', 'twice'],
  ])('is refused as %j', (text, why) => {
    expect(linUartAddressError(text)).toContain(why);
  });
});
