import { describe, expect, it } from 'vitest';
import { parseSlcanAddress, slcanAddressFlaw } from './slcan-address.ts';

describe('the address of an slcan adapter', () => {
  it.each([
    ['/dev/ttyACM0', '/dev/ttyACM0', 115_200],
    ['/dev/ttyUSB0@1000000', '/dev/ttyUSB0', 1_000_000],
    ['/dev/serial/by-id/usb-a@b-if00', '/dev/serial/by-id/usb-a@b-if00', 115_200],
    ['/dev/serial/by-id/usb-a@7-if00@57600', '/dev/serial/by-id/usb-a@7-if00', 57_600],
  ])('%s', (text, named, baudRate) => {
    expect(slcanAddressFlaw(text)).toBeUndefined();
    expect(parseSlcanAddress(text)).toMatchObject({ text, named, settings: { baudRate } });
  });

  it.each(['ttyACM0', 'COM3', '', '@115200', '/dev/ttyUSB0@0', '/dev/ttyUSB0@99999999'])(
    'is not %j',
    (text) => {
      expect(slcanAddressFlaw(text)).toMatch(/^must /);
    },
  );
});
