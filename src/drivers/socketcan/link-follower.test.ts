import { describe, expect, it } from 'vitest';
import { LinkFollower } from './socketcan-driver.ts';
import { exampleInterface } from './testing/fake-interfaces.ts';

/**
 * An adapter that may have copies with the same serial number; its location distinguishes them.
 */
const adapter = (index: number, place: string, hasCopies = false) => ({
  ...exampleInterface,
  index,
  place,
  serial: '1d50:606f:7:0',
  sn: hasCopies ? place : '1d50:606f:7:0',
});

describe('the interface of an open channel', () => {
  it('stays itself while a copy of its adapter is plugged in and pulled out', () => {
    const follower = new LinkFollower(adapter(4, 'usb:1-1:0'));
    const own = adapter(4, 'usb:1-1:0', true);
    const copy = adapter(5, 'usb:1-2:0', true);
    expect(follower.find([copy, own])).toEqual({ ...own, sn: '1d50:606f:7:0' });
    expect(follower.find([adapter(4, 'usb:1-1:0')])).toMatchObject({ index: 4 });
  });

  it('is not the copy that is left when it is gone, and comes back at its place', () => {
    const follower = new LinkFollower(adapter(4, 'usb:1-1:0'));
    follower.find([adapter(4, 'usb:1-1:0', true), adapter(5, 'usb:1-2:0', true)]);
    expect(follower.find([adapter(5, 'usb:1-2:0')])).toBeUndefined();
    const back = adapter(6, 'usb:1-1:0', true);
    expect(follower.find([adapter(5, 'usb:1-2:0', true), back])).toMatchObject({
      index: 6,
      sn: '1d50:606f:7:0',
    });
  });

  it('is found at another place if there is only one of it', () => {
    const follower = new LinkFollower(adapter(4, 'usb:1-1:0'));
    expect(follower.find([])).toBeUndefined();
    expect(follower.find([adapter(6, 'usb:2-3:0')])).toMatchObject({ index: 6 });
    expect(follower.isOn(adapter(6, 'usb:2-3:0'))).toBe(true);
  });

  it('is found at its place alone if it was opened by that', () => {
    const follower = new LinkFollower(adapter(4, 'usb:1-1:0', true));
    expect(follower.find([adapter(6, 'usb:1-2:0')])).toBeUndefined();
    expect(follower.find([adapter(7, 'usb:1-1:0')])).toMatchObject({ sn: 'usb:1-1:0' });
  });

  it('is no other device at the same place', () => {
    const follower = new LinkFollower(adapter(4, 'usb:1-1:0'));
    const other = { ...exampleInterface, index: 6, place: 'usb:1-1:0', serial: 'usb:1-1:0' };
    expect(follower.find([other])).toBeUndefined();
  });
});
