import { describe, expect, it } from 'vitest';
import { eventStatus } from '../event-status.ts';
import { ErrorReport } from './error-report.ts';
import { RawFrames, rawSlotBytes } from './raw-frame.ts';

/** Reads an error frame as cansend writes it, such as `20000204#000C000000006070`. */
const read = (text: string): ErrorReport => {
  const [id = '', data = ''] = text.split('#');
  const buffer = new ArrayBuffer(rawSlotBytes);
  new DataView(buffer).setUint32(0, Number.parseInt(id, 16), true);
  new Uint8Array(buffer).set(Buffer.from(data, 'hex'), 8);
  const report = new ErrorReport();
  report.read(new RawFrames(buffer, 0, 1), 0);
  return report;
};

describe('an error frame', () => {
  it.each([
    ['20000204#0004000000000A62', 'error_warning', 10, 98],
    ['20000204#0010000000000C82', 'error_passive', 12, 130],
    ['20000204#0020000000008C0A', 'error_passive', 140, 10],
    ['20000204#0040000000000000', 'error_active', 0, 0],
    ['20000204#0000000000006500', 'error_warning', 101, 0],
  ])('%s tells that the controller is %s', (text, state, txCount, rxCount) => {
    expect(read(text)).toMatchObject({
      state,
      txCount,
      rxCount,
      status: eventStatus.state_change,
      isBusError: false,
    });
  });

  it('tells of bus off and of the way back', () => {
    expect(read('20000040#0000000000000000')).toMatchObject({ state: 'bus_off' });
    expect(read('20000100#0000000000000000')).toMatchObject({ state: 'error_active' });
  });

  it('leaves a controller off the bus that is only counted, until it is started anew', () => {
    const counts = read('20000288#0000020000006000');
    expect([counts.state, counts.stateAfter('error_active')]).toEqual([
      'error_warning',
      'error_warning',
    ]);
    expect(counts.stateAfter('bus_off')).toBe('bus_off');
    expect(read('20000100#0000000000000000').stateAfter('bus_off')).toBe('error_active');
    expect(read('20000004#0040000000000000').stateAfter('bus_off')).toBe('error_active');
    // Some controllers recover automatically, and report nothing else.
    expect(read('20000004#0020000000000000').stateAfter('bus_off')).toBe('error_passive');
    expect(read('20000088#0000020000000000').stateAfter('error_passive')).toBe('error_passive');
  });

  it('stands for an error on the bus, whose place and kind are in its details', () => {
    expect(read('20000088#0000020000000000')).toMatchObject({
      id: 0x88,
      status: eventStatus.bus_error,
      isBusError: true,
      state: undefined,
    });
    expect(read('200000A8#0000001900000000')).toMatchObject({ status: eventStatus.no_acknowledge });
  });

  it('says that the controller had no room', () => {
    expect(read('20000004#0001000000000000')).toMatchObject({
      isOverflow: true,
      status: eventStatus.overrun,
      state: undefined,
    });
  });
});
