import { beforeEach, describe, expect, it } from 'vitest';
import { bitUs, LineRig, slackUs } from './testing/line-rig.ts';

// id 0x10 has the PID 0x50, 0x21 has 0x61; the checksums come from `lin.test.ts`.
const long = 1_000_000;

describe('a LIN master on a UART', () => {
  let rig: LineRig;
  beforeEach(() => {
    rig = new LineRig();
  });

  describe('that writes', () => {
    it('sends break, sync field, PID, data and checksum, and is done when all came back', () => {
      rig.write(0x10, '4A5593E5');
      expect(rig.wire).toEqual(['break']);
      rig.breakSent();
      expect(rig.wire).toEqual(['break', '55504A5593E596']);
      rig.hear('break 55 50 4A 55 93 E5');
      expect(rig.reported).toEqual([]);
      rig.hear('96');
      expect(rig.reported).toEqual(['sent 10#4A5593E5 enhanced']);
      expect(rig.busyUs).toBe((34 + 50) * bitUs);
    });

    it.each([
      ['tells the break before it is over', ['break'], ''],
      ['tells the break late', [], 'break'],
      ['hands on a zero for the break', [], '00'],
      ['says nothing of the break', [], ''],
    ])('puts up with a port that %s', (_, before, after) => {
      rig.write(0x10, '01');
      for (const part of before) rig.hear(part);
      rig.breakSent();
      rig.hear(after);
      rig.echo();
      expect(rig.reported).toEqual(['sent 10#01 enhanced']);
    });

    it('begins on time after a read without a response that had to end by then', () => {
      rig.read(0x21, 8, true, rig.nowUs + 5000);
      rig.write(0x10, '01');
      rig.breakSent();
      rig.echo();
      rig.pass(4999);
      expect(rig.reported).toEqual([]);
      rig.pass(1);
      expect(rig.reported).toEqual(['noticed no_response 21 8', 'read no_response']);
      expect(rig.wire.at(-1)).toBe('break');
    });

    it('receives a response that began before its end', () => {
      rig.read(0x10, 4, true, rig.nowUs + 5000);
      rig.breakSent();
      rig.echo();
      rig.pass(4000);
      rig.hear('4A 55 93');
      rig.pass(2000);
      rig.hear('E5 96');
      expect(rig.reported).toEqual(['received 10#4A5593E5 enhanced', 'read answered']);
    });

    it('begins with the next when one is done, in order', () => {
      rig.write(0x10, '01');
      rig.write(0x11, '02', false);
      rig.breakSent();
      rig.echo();
      expect(rig.wire.slice(2)).toEqual(['break']);
      rig.breakSent();
      rig.echo();
      expect(rig.reported).toEqual(['sent 10#01 enhanced', 'sent 11#02 classic']);
    });

    it.each([
      ['55 50 00', 'collision 10 1'],
      ['55 40', 'collision 10 0'],
      ['54', 'collision 10 0'],
      ['55 50 !01', 'collision 10 1'],
      ['55 50 01 break', 'collision 10 1'],
    ])('fails when %s came back', (received, reported) => {
      rig.write(0x10, '01');
      rig.breakSent();
      rig.hear(received);
      expect(rig.reported).toEqual([`noticed ${reported}`, 'failed']);
      rig.pass(long);
      expect(rig.reported.slice(2)).toEqual(
        received.endsWith('break') ? ['noticed sync_error 0 0'] : [],
      );
    });

    it('sends nothing into what is left of a collision', () => {
      rig.write(0x10, '01020304');
      rig.write(0x11, '01');
      rig.breakSent();
      rig.hear('55 50 00');
      rig.pass(5 * 10 * bitUs);
      rig.hear('02 03 04 AA');
      expect(rig.wire).toHaveLength(2);
      rig.pass(20 * bitUs + slackUs);
      expect(rig.wire.at(-1)).toBe('break');
      rig.breakSent();
      rig.echo();
      expect(rig.reported).toEqual(['noticed collision 10 4', 'failed', 'sent 11#01 enhanced']);
    });

    it('fails when nothing comes back, and goes on', () => {
      rig.write(0x10, '01');
      rig.write(0x11, '01');
      rig.breakSent();
      rig.pass(1.4 * 4 * 10 * bitUs + slackUs);
      expect(rig.reported).toEqual(['noticed bus_error 10 0', 'failed']);
      expect(rig.wire.at(-1)).toBe('break');
    });

    it('fails when its port cannot make a break, but not within the call', () => {
      rig.write(0x10, '01');
      rig.line.breakFailed(rig.nowUs);
      expect(rig.reported).toEqual([]);
      rig.pass(0);
      expect(rig.reported).toEqual(['noticed bus_error 10 0', 'failed']);
    });

    it('fails when its port never says that the break is over', () => {
      rig.write(0x10, '01');
      rig.pass(long);
      expect(rig.reported).toEqual(['noticed bus_error 10 0', 'failed']);
    });
  });

  describe('that reads', () => {
    const header = (): void => {
      rig.breakSent();
      rig.echo();
    };

    it('takes the response and its checksum', () => {
      rig.read(0x10, 4);
      header();
      rig.hear('4A 55');
      rig.pass(3000);
      rig.hear('93 E5 96');
      expect(rig.reported).toEqual(['received 10#4A5593E5 enhanced', 'read answered']);
    });

    it('waits 1.4 times as long as a response takes, and what the machine may add', () => {
      rig.read(0x10, 4);
      header();
      const limitUs = 1.4 * 50 * bitUs + slackUs;
      rig.pass(limitUs - 1);
      expect(rig.reported).toEqual([]);
      rig.pass(1);
      expect(rig.reported).toEqual(['noticed no_response 10 4', 'read no_response']);
      expect(rig.times[0]).toBe(1_000_000 + limitUs);
    });

    it.each([
      ['too short', '4A 55 93 E5'],
      ['with a wrong checksum', '4A 55 93 E5 97'],
      ['with another model', '4A 55 93 E5 E6'],
      ['with a framing error', '4A !55 93 E5 96'],
      ['of a single byte', '4A'],
    ])('tells a response %s as wrong', (_, received) => {
      rig.read(0x10, 4);
      header();
      rig.hear(received);
      rig.pass(long);
      expect(rig.reported).toHaveLength(2);
      expect(rig.reported[0]).toMatch(/^received 10#\w* wrong$/);
      expect(rig.reported[1]).toBe('read checksum_error');
    });

    it('swallows the rest of a longer response, before it sends again', () => {
      rig.read(0x10, 2);
      rig.read(0x10, 4);
      header();
      rig.hear('4A 55 93');
      rig.hear('E5 96');
      expect(rig.reported).toEqual(['received 10#4A55 wrong', 'read checksum_error']);
      expect(rig.wire).toHaveLength(2);
      rig.pass(20 * bitUs + slackUs);
      header();
      rig.hear('4A 55 93 E5 96');
      expect(rig.reported.slice(2)).toEqual(['received 10#4A5593E5 enhanced', 'read answered']);
    });

    it.each([
      ['silence', ''],
      ['the next break', 'break'],
    ])('takes a response of unknown length to end with %s', (_, then) => {
      rig.read(0x10, 0);
      header();
      rig.hear('4A 55 93 E5 96');
      expect(rig.reported).toEqual([]);
      rig.hear(then);
      rig.pass(20 * bitUs + slackUs);
      expect(rig.reported.slice(0, 2)).toEqual(['received 10#4A5593E5 enhanced', 'read answered']);
      expect(rig.times[0]).toBe(1_000_000);
    });

    it('answers itself where it has a response', () => {
      rig.respond(0x10, '01');
      rig.read(0x10, 1);
      header();
      expect(rig.wire.at(-1)).toBe('01AE');
      rig.echo();
      expect(rig.reported).toEqual(['sent 10#01 enhanced by itself', 'read answered']);
    });

    it('tells a collision where another answers too', () => {
      rig.respond(0x10, 'F0');
      rig.read(0x10, 1);
      header();
      rig.hear('00');
      expect(rig.reported).toEqual(['noticed collision 10 1', 'read collision']);
    });
  });

  it('sends breaks with a sync field, and pulses', () => {
    rig.signal('syncBreak');
    rig.signal('wakeUp');
    rig.breakSent();
    expect(rig.wire).toEqual(['break', '55']);
    rig.echo();
    expect(rig.reported).toEqual(['signal syncBreak']);
    // An immediate frame could be read as one more byte of the last one.
    expect(rig.wire.at(-1)).toBe('55');
    rig.pass(2 * (20 * bitUs + slackUs));
    expect(rig.wire.at(-1)).toBe('80');
    expect(rig.reported).toEqual(['signal syncBreak']);
    rig.echo();
    expect(rig.reported).toEqual(['signal syncBreak', 'signal wakeUp']);
  });

  it.each([
    [20_000, 0x80],
    [19_200, 0x80],
    [9600, 0x80],
    [2400, 0xf0],
    [1000, 0xfe],
  ])('has a pulse from 250 microseconds to 5 milliseconds at %d bit/s', (bitrate, byte) => {
    rig = new LineRig({ bitrate });
    rig.signal('wakeUp');
    expect(Number.parseInt(rig.wire[0] ?? '', 16)).toBe(byte);
    const lowBits = 1 + Math.log2(byte & -byte);
    expect((lowBits * 1e6) / bitrate).toBeGreaterThanOrEqual(250);
    expect((lowBits * 1e6) / bitrate).toBeLessThanOrEqual(5000);
  });

  it('does without hearing itself where the adapter is deaf while it speaks', () => {
    rig = new LineRig({ echoes: false });
    rig.write(0x10, '01');
    rig.read(0x10, 1);
    rig.breakSent();
    rig.pass(4 * 10 * bitUs - 1);
    expect(rig.reported).toEqual([]);
    rig.pass(1);
    expect(rig.reported).toEqual(['sent 10#01 enhanced']);
    rig.breakSent();
    // The response may arrive before the nominal end of the header.
    rig.hear('01 AE');
    expect(rig.reported.slice(1)).toEqual(['received 10#01 enhanced', 'read answered']);
  });

  it('goes on with what is queued while it tells, after that', () => {
    rig.onReport = (what) => {
      if (what.startsWith('sent 10')) rig.write(0x11, '02');
    };
    rig.write(0x10, '01');
    rig.breakSent();
    rig.echo();
    expect(rig.wire.at(-1)).toBe('break');
    rig.breakSent();
    rig.echo();
    expect(rig.reported).toEqual(['sent 10#01 enhanced', 'sent 11#02 enhanced']);
  });

  it('ends everything once, in order, when it is stopped, even by a report', () => {
    rig.onReport = (what) => {
      if (what.startsWith('received')) rig.line.stop(rig.nowUs);
    };
    rig.read(0x10, 1);
    rig.write(0x11, '01');
    rig.read(0x12, 1);
    rig.breakSent();
    rig.echo();
    rig.hear('01 AE');
    expect(rig.reported).toEqual([
      'received 10#01 enhanced',
      'read aborted',
      'failed',
      'read aborted',
    ]);
    rig.hear('break 55 50 01 AE');
    rig.pass(long);
    expect(rig.reported).toHaveLength(4);
  });
});
