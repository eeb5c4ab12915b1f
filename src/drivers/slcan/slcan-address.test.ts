import { describe, expect, it } from 'vitest';
import { parseSlcanAddress, slcanAddressError } from './slcan-port.ts';

describe('the address of an slcan adapter', () => {
  it.each([
    ['/dev/ttyACM0', '/dev/ttyACM0', 115_200],
    ['/dev/ttyUSB0,baud=1000000', '/dev/ttyUSB0', 1_000_000],
    ['/dev/serial/by-id/usb-a@b-if00', '/dev/serial/by-id/usb-a@b-if00', 115_200],
    ['/dev/serial/by-id/usb-a@7-if00,baud=57600', '/dev/serial/by-id/usb-a@7-if00', 57_600],
  ])('%s', (text, named, baudRate) => {
    expect(slcanAddressError(text)).toBeUndefined();
    expect(parseSlcanAddress(text)).toMatchObject({ text, named, settings: { baudRate } });
  });

  it.each([
    ['ttyACM0', 'path'],
    ['COM3', 'path'],
    ['', 'path'],
    [',baud=115200', 'path'],
    ['/dev/ttyUSB0,speed=1', 'option speed; known options: baud, answers'],
    ['/dev/ttyUSB0,baud=9600,baud=9600', 'baud twice'],
    ['/dev/ttyUSB0,baud=', 'baud'],
    ['/dev/ttyUSB0,baud=1e5', 'baud'],
    ['/dev/ttyUSB0,answers=maybe', 'answers'],
    ['/dev/ttyUSB0,answers', 'answers'],
    ['/dev/ttyUSB0,baud=0', 'baud'],
    ['/dev/ttyUSB0,baud=99999999', 'baud'],
  ])('is not %j', (text, why) => {
    expect(slcanAddressError(text)).toContain(why);
  });

  it('tells whether firmware is expected to answer', () => {
    expect(parseSlcanAddress('/dev/ttyUSB0').answers).toBe(true);
    expect(parseSlcanAddress('/dev/ttyUSB0,answers=yes,baud=9600').answers).toBe(true);
    expect(parseSlcanAddress('/dev/ttyUSB0,baud=9600,answers=no').answers).toBe(false);
  });
});
