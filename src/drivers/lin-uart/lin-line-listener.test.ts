import { beforeEach, describe, expect, it } from 'vitest';
import { bitUs, LineRig, slackUs } from './testing/line-rig.ts';

const long = 1_000_000;
const silenceUs = 20 * bitUs + slackUs;

describe('a LIN node on a UART', () => {
  let rig: LineRig;
  beforeEach(() => {
    rig = new LineRig();
  });

  describe('that hears a header of another', () => {
    it('takes the response that follows it', () => {
      rig.hear('break 55 50 4A 55 93 E5 96');
      expect(rig.reported).toEqual([]);
      rig.pass(silenceUs);
      expect(rig.reported).toEqual(['received 10#4A5593E5 enhanced']);
      expect(rig.times).toEqual([1_000_000]);
      expect(rig.wire).toEqual([]);
    });

    it('knows the end of a long response, of a diagnostic one, and by a break', () => {
      rig.hear('break 55 50 11 22 33 44 55 66 77 88 49');
      expect(rig.reported).toEqual(['received 10#1122334455667788 enhanced']);
      rig.hear('break 55 3C 01 06 B2 00 FF 7F FF FF C6');
      expect(rig.reported.at(-1)).toBe('received 3c#0106B200FF7FFFFF classic');
      rig.hear('break 55 50 01 AE break');
      expect(rig.reported.at(-1)).toBe('received 10#01 enhanced');
    });

    it('takes bytes in any pieces and with pauses', () => {
      for (const part of ['break', '55', '50', '4A', '55', '93', 'E5', '96']) {
        rig.hear(part);
        rig.pass(900);
      }
      rig.pass(silenceUs);
      expect(rig.reported).toEqual(['received 10#4A5593E5 enhanced']);
    });

    it('answers with what its table has, and tells when that came back', () => {
      rig.respond(0x10, '01');
      rig.hear('break 55');
      rig.hear('50');
      expect(rig.wire).toEqual(['01AE']);
      rig.echo();
      expect(rig.reported).toEqual(['sent 10#01 enhanced by itself']);
    });

    it('does not answer where another has begun to', () => {
      rig.respond(0x10, '01');
      rig.hear('break 55 50 02');
      rig.hear('AD');
      rig.pass(silenceUs);
      expect(rig.wire).toEqual([]);
      expect(rig.reported).toEqual(['received 10#02 enhanced']);
    });

    it('does not answer a header that is over', () => {
      rig.respond(0x10, '01');
      rig.hear('break 55 50 break 55');
      expect(rig.wire).toEqual([]);
      expect(rig.reported).toEqual(['noticed no_response 10 0']);
    });

    it('answers none while it only listens', () => {
      rig = new LineRig({ listenOnly: true });
      rig.respond(0x10, '01');
      rig.hear('break 55 50');
      rig.pass(long);
      expect(rig.wire).toEqual([]);
      expect(rig.reported).toEqual(['noticed no_response 10 0']);
    });

    it('tells that others spoke into its answer, or that nothing of it came back', () => {
      rig.respond(0x10, '0F');
      rig.hear('break 55 50');
      rig.hear('00');
      rig.pass(long);
      rig.hear('break 55 50');
      rig.pass(long);
      expect(rig.reported).toEqual(['noticed collision 10 1', 'noticed bus_error 10 1']);
    });

    it('tells the break alone with its sync field as such', () => {
      rig.hear('break 55');
      rig.pass(long);
      rig.hear('break 55 break 55 50 01 AE');
      rig.pass(long);
      expect(rig.reported).toEqual([
        'noticed syncBreak 0 0',
        'noticed syncBreak 0 0',
        'received 10#01 enhanced',
      ]);
    });

    it.each([
      ['a sync field at another rate', 'break 54 50 01 AE'],
      ['a wrong parity', 'break 55 10 01 AE'],
      ['a PID with a framing error', 'break 55 !50 01 AE'],
      ['no sync field', 'break'],
    ])('tells one with %s once, and follows the next', (_, received) => {
      rig.hear(received);
      rig.pass(long);
      expect(rig.reported).toEqual(['noticed sync_error 0 0']);
      rig.hear('break 55 50 01 AE');
      rig.pass(long);
      expect(rig.reported.at(-1)).toBe('received 10#01 enhanced');
    });

    it('follows ports that do not tell breaks, until one does', () => {
      rig.hear('00 55 50 01 AE');
      rig.pass(silenceUs);
      expect(rig.reported).toEqual(['received 10#01 enhanced']);
      rig.hear('break 55 50 01 AE');
      rig.pass(silenceUs);
      rig.hear('00 55 50 01 AE');
      rig.pass(silenceUs);
      expect(rig.reported.slice(2)).toEqual(['noticed sync_error 0 0']);
    });

    it.each(['55 50 01 AE', '80 55 50 01 AE', '00 00 55 50 01 AE', 'A5 00 55 50 01 AE'])(
      'takes no frame from %s, which has no break',
      (received) => {
        rig.hear(received);
        rig.pass(long);
        expect(rig.reported).toEqual(['noticed sync_error 0 0']);
      },
    );
  });

  describe('that hears noise', () => {
    it('tells it now and then only, however much there is', () => {
      for (let i = 0; i < 10_000; i++) {
        rig.hear('A5 12 !33');
        rig.pass(100);
      }
      // A continuous break of one second, reported every 100 ms.
      expect(rig.reported.length).toBeGreaterThan(5);
      expect(rig.reported.length).toBeLessThanOrEqual(11);
      expect(new Set(rig.reported)).toEqual(new Set(['noticed sync_error 0 0']));
    });

    it('tells breaks without anything behind them no more often', () => {
      for (let i = 0; i < 10_000; i++) {
        rig.hear('break');
        rig.pass(100);
      }
      expect(rig.reported.length).toBeLessThanOrEqual(11);
    });

    it('does not wait for ever with what it has to send', () => {
      rig.hear('A5');
      rig.write(0x10, '01');
      for (let i = 0; i < 60 && rig.wire.length === 0; i++) {
        rig.pass(1000);
        rig.hear('A5');
      }
      expect(rig.wire).toEqual(['break']);
      rig.breakSent();
      rig.hear('A5');
      expect(rig.reported).toEqual(['noticed sync_error 0 0', 'noticed collision 10 0', 'failed']);
    });

    it('follows a frame behind it', () => {
      rig.hear('A5 A5 break 55 50 01 AE');
      rig.pass(silenceUs);
      expect(rig.reported).toEqual(['noticed sync_error 0 0', 'received 10#01 enhanced']);
    });
  });

  describe('on a bus that sleeps', () => {
    const sleep = 'break 55 3C 00 FF FF FF FF FF FF FF 00';

    it.each([
      ['a pulse', '80', ['noticed wakeUp 0 0']],
      ['a long pulse', 'break', ['noticed wakeUp 0 0']],
      ['a pulse at another rate', '12', ['noticed wakeUp 0 0']],
      ['a pulse that ends as a framing error', '!C0', ['noticed wakeUp 0 0']],
      ['a header', 'break 55 50 01 AE', ['noticed wakeUp 0 0', 'received 10#01 enhanced']],
    ])('hears %s as its end', (_, received, reported) => {
      rig.hear(sleep);
      rig.hear(received);
      rig.pass(long);
      expect(rig.reported.slice(1)).toEqual(reported);
      rig.hear('break 55 50 01 AE');
      rig.pass(long);
      expect(rig.reported.at(-1)).toBe('received 10#01 enhanced');
      expect(rig.reported.filter((what) => what.includes('wakeUp'))).toHaveLength(1);
    });

    it('also hears a pulse where it did not know that the bus sleeps', () => {
      rig.hear('80');
      rig.pass(silenceUs);
      expect(rig.reported).toEqual(['noticed wakeUp 0 0']);
    });

    it('does not take a command with a wrong checksum for one', () => {
      rig.hear('break 55 3C 00 FF FF FF FF FF FF FF 01');
      rig.pass(silenceUs);
      rig.hear('A5');
      expect(rig.reported.slice(1)).toEqual(['noticed sync_error 0 0']);
    });
  });
});
