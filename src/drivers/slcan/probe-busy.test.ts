import { describe, expect, it } from 'vitest';
import { probe } from './probe.ts';
import { type Dialect, dialects, EmulatedAdapter } from './testing/emulated-adapter.ts';
import { EmulatedBus } from './testing/emulated-bus.ts';
import { TimedLine } from './testing/timed-line.ts';

interface LeftOpen {
  readonly dialect: Dialect;
  /** The `Z` mode in which it was left. */
  readonly stamps: string;
  readonly frame: string;
  readonly queue: number;
}

/** An adapter that a killed host left open, with an output queue full of frames at 57600 baud. */
const leaveOpen = ({ dialect, stamps, frame, queue }: LeftOpen): TimedLine => {
  const line = new TimedLine(57_600);
  const adapter = new EmulatedAdapter({
    dialect,
    bus: new EmulatedBus(),
    serial: 'C0DE',
    write: line.say,
    nowUs: () => line.nowUs,
  });
  adapter.receive(Buffer.from(`Z${stamps}\rO\r`));
  line.forget();
  line.peerAtEnd = adapter;
  line.onByte = () => {
    while (adapter.rates && line.queuedBytes < queue) adapter.hear(frame);
  };
  line.onByte();
  return line;
};

const frames = [
  't1238000000000000012C',
  'T12345678400010203',
  'r1238',
  'R1234567F0',
  'd123A000102030405060708090A0B0C0D0E0F',
  'D1234567820102',
  'b12320102',
  'B1234567820102',
];
const lawicel = { dialect: dialects.lawicel, stamps: '1', frame: 't1238000000000000012C' };

describe('probing an adapter that was left open on a busy bus', () => {
  it.each(frames)('takes no frame for its version: %s', async (frame) => {
    for (const stamps of ['0', '1', '2']) {
      const line = leaveOpen({ dialect: dialects.fd, stamps, frame, queue: 864 });
      expect(await probe(line)).toMatchObject({
        acknowledges: true,
        fd: true,
        version: '2010',
        serial: 'C0DE',
      });
    }
  });

  it.each([0, 26, 576, 864, 4_000])('waits for %i bytes that it has queued', async (queue) => {
    expect(await probe(leaveOpen({ ...lawicel, queue }))).toEqual({
      acknowledges: true,
      fd: false,
      timing: { form: 'btr', clockHz: 8_000_000 },
      version: '1013',
      serial: 'C0DE',
    });
  });

  it('finds one that answers nothing but its version, whatever line the first end belongs to', async () => {
    const line = leaveOpen({ ...lawicel, dialect: dialects.canable2, stamps: '0', queue: 864 });
    line.forget();
    line.say('\r');
    expect(await probe(line)).toMatchObject({
      acknowledges: false,
      version: dialects.canable2.version,
    });
  });

  it('takes one that does not hear for one without answers, in bounded time', async () => {
    const line = leaveOpen({ ...lawicel, queue: 100 });
    line.peerAtEnd = { receive: () => undefined };
    expect(await probe(line)).toMatchObject({ acknowledges: false, version: '' });
    expect(line.nowUs).toBeLessThan(3_000_000);
    expect(line.asked).toEqual(['C']);
  });
});

describe('probing on a machine that reads late', () => {
  /**
   * A closed adapter: responses from the first command on are read together with the last one.
   */
  const readLate = (first: number, last: number): TimedLine => {
    const line = leaveOpen({ ...lawicel, queue: 0 });
    const adapter = line.peerAtEnd;
    adapter.receive(Buffer.from('C\r'));
    line.forget();
    const held: Uint8Array[] = [];
    line.peerAtEnd = {
      receive: (bytes) => {
        held.push(bytes);
        const { length } = line.asked;
        if (length < first || length >= last)
          for (const each of held.splice(0)) adapter.receive(each);
      },
    };
    return line;
  };

  it.each([
    ['closing', 1, 2],
    ['closing once more', 3, 4],
  ])('does not take the late answer to %s for that of another command', async (_, first, last) => {
    expect(await probe(readLate(first, last))).toMatchObject({
      acknowledges: true,
      version: '1013',
      serial: 'C0DE',
    });
  });

  it('makes no adapter out of one whose answers all are late, so that it is asked again', async () => {
    const profile = await probe(readLate(1, 9));
    expect(profile).toMatchObject({ acknowledges: false, version: '' });
  });
});
