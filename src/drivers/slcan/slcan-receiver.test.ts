import { beforeEach, describe, expect, it } from 'vitest';
import type { ChannelSettings } from '../channel-settings.ts';
import { PortReporter } from '../port-reporter.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { readFrame, SlcanFrame } from './frame-text.ts';
import { SlcanReceiver } from './slcan-receiver.ts';

const settingsOf = (bus: 'can' | 'canfd') =>
  ({ bus, mode: 'normal', bitrate: 500_000 }) as ChannelSettings;

describe('what a channel makes of lines', () => {
  let events: RecordingSink;
  let receiver: SlcanReceiver;
  beforeEach(() => {
    events = new RecordingSink();
    receiver = new SlcanReceiver(new PortReporter(events, 0), []);
  });

  const hear = (line: string, bus: 'can' | 'canfd') => {
    const frame = new SlcanFrame();
    expect(readFrame(Buffer.from(line), line.length, 0, frame)).toBe(true);
    receiver.receive(frame, settingsOf(bus), 0);
  };

  it('counts lines without a meaning on and on, however often its device is set up anew', () => {
    const line = { malformed: 7 };
    receiver.start(line, 0);
    line.malformed += 3;
    expect(receiver.malformed).toBe(3);
    receiver.start(line, 4);
    expect(receiver.malformed).toBe(3);
    line.malformed += 1;
    receiver.stop();
    // Missed responses during setup.
    line.malformed += 5;
    receiver.start(line, 4);
    expect(receiver.malformed).toBe(4);
    receiver.start({ malformed: 0 }, 4);
    expect(receiver.malformed).toBe(4);
  });

  it.each(['d1231AA', 'b1231AA', 'D123456781AA', 'B123456781AA'])(
    'counts %s on a classic bus as a line without a meaning, and publishes it on a CAN FD bus',
    (line) => {
      receiver.start({ malformed: 0 }, 0);
      hear(line, 'can');
      expect([events.received.length, receiver.malformed]).toEqual([0, 1]);
      hear(line, 'canfd');
      expect([events.received.length, receiver.malformed]).toEqual([1, 1]);
      hear('t1231AA', 'can');
      expect([events.received.length, receiver.malformed]).toEqual([2, 1]);
    },
  );
});
