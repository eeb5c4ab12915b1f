import { describe, expect, it } from 'vitest';
import { eventStatus } from '../../drivers/event-status.ts';
import type { Frm2Event } from '../../frame/frm2-event.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { sampleChannel, sampleRecord } from '../testing/sample-events.ts';
import { EventText } from './event-text.ts';

const textOf = (...events: Partial<Frm2Event>[]): string => {
  const text = new EventText();
  text.learn([sampleChannel]);
  return text.render(Buffer.concat(events.map(sampleRecord)));
};

const start = '(1699999999.123456)  SIM00001/0  RX';
const none = new Uint8Array(0);

describe('EventText', () => {
  it('shows an event as candump does, with time, channel and direction', () => {
    expect(textOf({})).toBe(`${start}       123   [4]  DE AD BE EF\n`);
  });

  it('tells what was sent from what was received', () => {
    expect(textOf({ kind: 'tx_complete' })).toContain('  SIM00001/0  TX       123 ');
  });

  it('keeps all six digits of a fraction', () => {
    expect(textOf({ timestampUs: 5_000_007 })).toMatch(/^\(5\.000007\) /);
  });

  it('prefers the name of a channel, and goes by its slot where it was not announced', () => {
    const text = new EventText();
    text.learn([{ ...sampleChannel, name: 'pt' }]);
    expect(text.render(sampleRecord())).toContain('(1699999999.123456)  pt  RX  ');
    expect(text.render(sampleRecord({ channel: 12 }))).toContain('(1699999999.123456)  12  RX  ');
  });

  it('lines up channels of different width', () => {
    const text = new EventText();
    text.learn([sampleChannel, { slot: 1, selector: 'SIM00001/1', name: 'pt' }]);
    expect(text.render(sampleRecord({ channel: 1 }))).toContain(')  pt          RX       123 ');
    expect(text.render(sampleRecord())).toContain(')  SIM00001/0  RX       123 ');
  });

  it('keeps its columns when the first long identifier comes', () => {
    const long = { id: 0x18ff50e5, flags: frameFlag.extended };
    expect(textOf({}, long, {}).split('\n')).toEqual([
      `${start}       123   [4]  DE AD BE EF`,
      `${start}  18FF50E5   [4]  DE AD BE EF`,
      `${start}       123   [4]  DE AD BE EF`,
      '',
    ]);
  });

  it.each<[what: string, event: Partial<Frm2Event>, end: string]>([
    ['an empty frame', { dlc: 0, data: none }, '       123   [0]'],
    ['a remote frame', { flags: frameFlag.remote, data: none }, '       123   [4]  remote request'],
    [
      'a CAN FD frame that switched rates',
      { bus: 'canfd', flags: frameFlag.fd | frameFlag.brs },
      '       123  [04]  DE AD BE EF  BRS',
    ],
    [
      'a CAN FD frame of an error-passive node',
      { bus: 'canfd', flags: frameFlag.fd | frameFlag.brs | frameFlag.esi },
      '       123  [04]  DE AD BE EF  BRS ESI',
    ],
    [
      'an error on the bus',
      { id: 4, flags: frameFlag.error, status: eventStatus.bus_error },
      '  20000004   [4]  DE AD BE EF               ERRORFRAME  BUS-ERROR',
    ],
    [
      'a frame that no node acknowledged',
      { status: eventStatus.no_acknowledge },
      '       123   [4]  DE AD BE EF  NO-ACKNOWLEDGE',
    ],
    ['a status that is not known', { status: 99 }, '       123   [4]  DE AD BE EF  STATUS-99'],
    ['a LIN frame', { bus: 'lin', id: 0x3c, flags: 0x100 }, '        3C   [4]  DE AD BE EF'],
    [
      'a wrong LIN checksum',
      {
        bus: 'lin',
        id: 0x3c,
        flags: frameFlag.checksumError,
        status: eventStatus.checksum_error,
      },
      '        3C   [4]  DE AD BE EF  CHECKSUM-ERROR',
    ],
    [
      'a LIN header without response',
      {
        bus: 'lin',
        id: 1,
        flags: frameFlag.noResponse,
        status: eventStatus.no_response,
        data: none,
      },
      '        01   [0]  NO-RESPONSE',
    ],
    [
      'a LIN wake-up',
      { bus: 'lin', id: 0, flags: frameFlag.wakeUp, data: none },
      '        00   [0]  WAKE-UP',
    ],
  ])('shows %s', (_, event, end) => {
    expect(textOf(event)).toBe(`${start}${end}\n`);
  });
});
