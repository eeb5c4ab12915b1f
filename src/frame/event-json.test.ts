import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventJsonChannel, eventObject, writeEventJson } from './event-json.ts';
import { encodeFrm2, type Frm2Event } from './frm2-event.ts';
import { frameFlag } from './frm2-layout.ts';
import { arbitraryEvent } from './testing/arbitrary-frames.ts';

const event: Frm2Event = {
  bus: 'canfd',
  kind: 'tx_complete',
  channel: 3,
  dlc: 2,
  id: 0x18ff50e5,
  flags: 0x0d,
  status: 0,
  eventId: 1234567,
  sourceSequence: 7,
  streamEpoch: 9,
  timestampUs: 1763176000000250,
  hardwareSequence: 65535,
  filterHit: 255,
  checksum: 0,
  data: Uint8Array.of(0x0a, 0xff),
};

const textOf = (given: Frm2Event, selector: string): string => {
  const record = new Uint8Array(256);
  record.set(encodeFrm2(given), 128);
  const channel = eventJsonChannel(selector);
  const start = 5;
  const target = new Uint8Array(start + channel.room).fill(0xee);
  const end = writeEventJson(
    new DataView(target.buffer),
    start,
    new DataView(record.buffer),
    128,
    channel,
  );
  expect(target.subarray(0, start).every((byte) => byte === 0xee)).toBe(true);
  return new TextDecoder().decode(target.subarray(start, end));
};

const objectOf = (given: Frm2Event, selector: string) =>
  eventObject(new DataView(encodeFrm2(given).buffer), 0, selector);

describe('writeEventJson', () => {
  it('writes all fields in their order', () => {
    expect(textOf(event, 'SIM00001/0')).toBe(
      '{"event_id":1234567,"source_sequence":7,"stream_epoch":9,"kind":"tx_complete",' +
        '"bus":"canfd","channel":3,"selector":"SIM00001/0","id":419385573,"extended":true,' +
        '"remote":false,"fd":true,"brs":true,"esi":false,"error":false,"dlc":2,"data":"0AFF",' +
        '"flags":13,"status":0,"timestamp_us":1763176000000250,"hardware_sequence":65535,' +
        '"filter_hit":255,"checksum":0}',
    );
  });

  it('says the same as the object, in ASCII alone whatever the selector', () => {
    const selector = fc.constantFrom(
      'SIM00001/0',
      'a "quoted" \\ name',
      'Prüfstand 3',
      '🚗',
      '\ud800',
      '\u0000\u007f\u2028',
      '',
    );
    fc.assert(
      fc.property(arbitraryEvent, selector, (given, name) => {
        const text = textOf(given, name);
        expect(JSON.parse(text)).toEqual(objectOf(given, name));
        expect(text).toMatch(/^[\x20-\x7e]*$/);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('writes what JSON.stringify writes where the selector is plain', () => {
    fc.assert(
      fc.property(arbitraryEvent, (given) => {
        expect(textOf(given, 'bench "A"')).toBe(JSON.stringify(objectOf(given, 'bench "A"')));
      }),
      { seed: 6, numRuns: 200 },
    );
  });

  it('has room for the longest event', () => {
    const max: Frm2Event = {
      ...event,
      channel: 0xffff,
      dlc: 15,
      id: 2 ** 32 - 1,
      flags: 2 ** 32 - 64,
      status: 2 ** 32 - 1,
      eventId: 2 ** 53 - 1,
      sourceSequence: 2 ** 53 - 1,
      streamEpoch: 2 ** 53 - 1,
      timestampUs: 2 ** 53 - 1,
      checksum: 255,
      data: new Uint8Array(64),
    };
    const { room } = eventJsonChannel('SIM00001/0');
    const { length } = textOf(max, 'SIM00001/0');
    expect(length).toBeLessThanOrEqual(room - 7);
    // The longest payload leaves no space for a count, which is then 1.
    expect(length).toBeGreaterThan(room - 21);
  });

  it.each([
    ['one error frame', 8, '0102030405060708', 1],
    ['as many as the bytes behind the details say', 8, '010203040506070800005208', 21_000],
    ['none where they say so', 8, '010203040506070800000000', 0],
    ['the most there can be', 8, '0102030405060708FFFFFFFF', 4_294_967_295],
    ['none, and has no details either', 0, '00000000', 0],
  ])('tells that an error event stands for %s', (_, dlc, hex, count) => {
    const error = {
      ...event,
      flags: frameFlag.error,
      status: 2,
      dlc,
      data: Buffer.from(hex, 'hex'),
    };
    const json = JSON.parse(textOf(error, 'SIM00001/0'));
    expect(json).toMatchObject({ dlc, data: hex.slice(0, 2 * dlc), count });
    expect(json).toEqual(objectOf(error, 'SIM00001/0'));
  });

  it('counts an error on LIN as one, and says nothing of frames that are good', () => {
    const lin: Frm2Event = { ...event, bus: 'lin', flags: frameFlag.checksumError, status: 5 };
    expect(JSON.parse(textOf(lin, 'SIM00001/4'))).toMatchObject({ data: '0AFF', count: 1 });
    expect(JSON.parse(textOf(event, 'SIM00001/4'))).not.toHaveProperty('count');
  });
});

describe('eventObject', () => {
  it.each([
    ['extended', 0x01],
    ['remote', 0x02],
    ['fd', 0x04],
    ['brs', 0x08],
    ['esi', 0x10],
    ['error', 0x20],
  ])('shows the flag %s by its name alone', (name, flags) => {
    const shown = objectOf({ ...event, flags }, 'can0');
    const set = Object.entries(shown).filter(([, value]) => value === true);
    expect(set.map(([key]) => key)).toEqual([name]);
    expect(shown.flags).toBe(flags);
  });
});
