import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { crc16 } from '../framing/checksums.ts';
import { rtuSilenceUs } from '../framing/serial-framing.ts';
import { bytesOf } from '../pdu/testing/bytes-of.ts';
import { SerialService } from './serial-service.ts';
import { FakeLink } from './testing/fake-link.ts';
import { HandlerBench } from './testing/handler-bench.ts';
import { readBits, readRegisters, writeRegisters } from './testing/held-data.ts';

const baudRate = 9600;
const silenceUs = rtuSilenceUs(baudRate);

/** A frame with its CRC. */
const rtu = (hex: string): Uint8Array => {
  const content = bytesOf(hex);
  const crc = crc16(content, 0, content.length);
  return Uint8Array.of(...content, crc & 0xff, crc >> 8);
};
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A slow unit, and a silent one. */
const slowUnits = { 34: [{ delayMs: 250 }], 35: [{ silent: true }] };

class SerialBench extends HandlerBench {
  readonly clock = new FakeClock();
  readonly scheduler = new Scheduler({
    clock: this.clock,
    alarm: new FakeAlarm(this.clock),
    onError: (error) => void this.defects.push(error),
  });
  readonly link = new FakeLink();
  readonly losses: unknown[] = [];
  readonly service: SerialService;
  readonly open: Promise<void>;

  constructor(kind: 'rtu' | 'ascii' = 'rtu', opens = true, faulty = {}) {
    super();
    this.service = new SerialService({
      clock: this.clock,
      scheduler: this.scheduler,
      kind,
      baudRate,
      units: this.unitsOf(0x11, faulty),
      counters: this.counters,
      onLost: (error) => void this.losses.push(error),
    });
    const settings = { baudRate, dataBits: 8, parity: 'even', stopBits: 1 } as const;
    this.open = this.service.open({ path: 'line', settings }, () => this.link);
    if (opens) this.service.opened();
  }

  hear(...frames: readonly (Uint8Array | string)[]): void {
    this.service.bytes(Buffer.concat(frames.map((frame) => Buffer.from(frame))));
  }
}

const read = rtu('11 03 0000 0001');
const answer = hexOf(rtu('11 03 02 0007'));

describe('SerialService over RTU', () => {
  const started = (faulty = {}): SerialBench => {
    const bench = new SerialBench('rtu', true, faulty);
    writeRegisters(bench.model, 'holding', 0, Uint16Array.of(7));
    return bench;
  };

  it('answers after the silence that must follow a request, not before', () => {
    const bench = started();
    bench.hear(read);
    bench.clock.advanceUs(silenceUs - 1);
    expect(bench.link.writes).toEqual([]);
    bench.clock.advanceUs(1);
    expect(bench.link.writes).toEqual([answer]);
    expect(bench.scheduler.scheduledTasks).toBe(0);
  });

  it('answers a request that comes byte by byte', () => {
    const bench = started();
    for (const byte of read) {
      bench.hear(Uint8Array.of(byte));
      bench.clock.advanceUs(1100);
    }
    bench.clock.advanceUs(silenceUs);
    expect(bench.link.writes).toEqual([answer]);
  });

  it('answers a function that it does not know once silence has ended the request', () => {
    const bench = started();
    bench.hear(rtu('11 63 01 02 03'));
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([hexOf(rtu('11 E3 01'))]);
  });

  it('is silent to requests for other units and to their answers', () => {
    const bench = started();
    bench.hear(rtu('12 03 0000 0001'));
    bench.clock.advanceUs(50_000);
    bench.hear(rtu('12 03 02 0001'));
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([]);
    expect(bench.counters.record()).toMatchObject({ foreign_unit: 1, requests: 0, bad_frames: 0 });
  });

  it('counts requests to other units, and none of their answers', () => {
    const bench = started();
    const conversation = [
      ['12 06 0001 0017', '12 06 0001 0017'],
      ['12 06 0001 0017', '12 06 0001 0017'],
      ['12 05 0003 FF00', '12 05 0003 FF00'],
      // A response with three data bytes is as long as a request.
      ['12 01 0000 0014', '12 01 03 FF00FF'],
      ['12 03 0000 0001', '12 03 02 0001'],
      ['12 03 0000 0001', '12 83 02'],
      ['12 07', '12 07 01'],
      ['12 07', '12 07 01'],
      ['12 08 0000 1234', '12 08 0000 1234'],
      ['12 41 01', '12 C1 01'],
    ];
    for (const frame of conversation.flat()) {
      bench.hear(rtu(frame));
      bench.clock.advanceUs(50_000);
    }
    expect(bench.counters.otherUnit).toBe(conversation.length);
  });

  it('counts what another unit is asked again after something else was said', () => {
    const bench = started();
    for (const frame of ['12 06 0001 0017', '13 06 0001 0017', '12 06 0001 0017']) {
      bench.hear(rtu(frame));
      bench.clock.advanceUs(50_000);
    }
    expect(bench.counters.otherUnit).toBe(3);
    for (const frame of ['11 06 0001 0017', '12 06 0001 0017', '00 06 0001 0017']) {
      bench.hear(rtu(frame));
      bench.clock.advanceUs(50_000);
    }
    bench.hear(rtu('12 06 0001 0017'));
    expect(bench.counters.otherUnit).toBe(5);
  });

  it('is silent to damaged frames, and answers the next one', () => {
    const bench = started();
    const damaged = Uint8Array.from(read, (byte, index) => (index === 3 ? byte ^ 1 : byte));
    bench.hear(damaged);
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([]);
    expect(bench.counters.badFrames).toBe(1);
    bench.hear(read);
    bench.clock.advanceUs(silenceUs);
    expect(bench.link.writes).toEqual([answer]);
  });

  it('does what is written to all and does not answer', () => {
    const bench = started();
    for (const frame of [
      '00 06 0001 0017',
      '00 05 0003 FF00',
      '00 17 0000 0001 0002 0001 02 0005',
    ]) {
      bench.hear(rtu(frame));
      bench.clock.advanceUs(50_000);
    }
    expect(bench.link.writes).toEqual([]);
    expect(readRegisters(bench.model, 'holding', 1, 2)).toEqual(Uint16Array.of(0x17, 5));
    expect(readBits(bench.model, 'coil', 3, 1)).toEqual([true]);
    expect(bench.counters.broadcasts).toBe(3);
  });

  it('serves several units, of which one is slow and one silent', () => {
    const bench = started(slowUnits);
    bench.hear(rtu('23 03 0000 0001'));
    bench.clock.advanceUs(50_000);
    bench.hear(rtu('22 03 0000 0001'));
    bench.clock.advanceUs(249_999);
    expect(bench.link.writes).toEqual([]);
    bench.clock.advanceUs(silenceUs + 1);
    expect(bench.link.writes).toEqual([hexOf(rtu('22 03 02 0007'))]);
    bench.hear(read);
    bench.clock.advanceUs(silenceUs);
    expect(bench.link.writes.at(-1)).toBe(answer);
    expect(bench.counters.record()).toMatchObject({
      requests: 3,
      foreign_unit: 0,
      faults: { silent: 1, delayed: 1 },
    });
  });

  it('lets a slow unit answer also when it is asked again before', () => {
    const bench = started(slowUnits);
    bench.hear(rtu('22 03 0000 0001'));
    bench.clock.advanceUs(100_000);
    bench.hear(rtu('22 03 0000 0002'));
    bench.clock.advanceUs(1_000_000);
    expect(bench.link.writes).toEqual(
      ['22 03 02 0007', '22 03 04 0007 0000'].map((frame) => hexOf(rtu(frame))),
    );
  });

  it('does not take the echo of a late answer for another request', () => {
    const bench = started(slowUnits);
    bench.hear(rtu('22 03 0000 0001'));
    bench.clock.advanceUs(300_000);
    bench.hear(rtu('22 03 02 0007'));
    bench.clock.advanceUs(50_000);
    bench.hear(rtu('22 06 0000 0005'));
    bench.hear(rtu('22 06 0001 0006'));
    bench.clock.advanceUs(260_000);
    bench.hear(rtu('22 06 0000 0005'));
    bench.clock.advanceUs(260_000);
    bench.hear(rtu('22 06 0001 0006'));
    bench.clock.advanceUs(1_000_000);
    expect(bench.link.writes.slice(1)).toEqual(
      ['22 06 0000 0005', '22 06 0001 0006'].map((frame) => hexOf(rtu(frame))),
    );
    expect(bench.counters.record().requests).toBe(3);
  });

  it('ignores questions to all', () => {
    const bench = started();
    bench.hear(rtu('00 03 0000 0001'));
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([]);
    expect(bench.counters.record()).toMatchObject({ broadcasts: 0, requests: 0 });
  });

  it('counts a write to all that it refuses, but no exception, as it sends none', () => {
    const bench = started();
    bench.hear(rtu('00 05 0001 1234'));
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([]);
    expect(bench.counters.record()).toMatchObject({
      broadcasts: 1,
      refused_writes: 1,
      exceptions: {},
    });
  });

  it('has no connections, whichever client is on the line', () => {
    const bench = started();
    bench.hear(read);
    expect(bench.service.clients).toBe(0);
  });

  it('answers only the last of two requests, as the client has given up on the first', () => {
    const bench = started();
    bench.hear(rtu('11 03 0000 0002'), read);
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([answer]);
  });

  it('leaves the line to another unit that is asked before the answer has gone out', () => {
    const bench = started();
    bench.hear(read, rtu('12 03 0000 0001'));
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([]);
    expect(bench.counters.otherUnit).toBe(1);
  });

  it('keeps nothing for a line that takes nothing', () => {
    const bench = started();
    bench.link.takes = false;
    for (let request = 0; request < 100; request++) {
      bench.hear(read);
      bench.clock.advanceUs(silenceUs);
    }
    expect(bench.link.bufferedBytes).toBe(read.length - 1);
    bench.link.take();
    bench.hear(read);
    bench.clock.advanceUs(silenceUs);
    bench.link.take();
    expect(bench.link.writes).toEqual([answer, answer]);
  });

  it('passes over the echo of its own answers', () => {
    const bench = started();
    bench.hear(read);
    bench.clock.advanceUs(silenceUs);
    bench.hear(bytesOf(answer));
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([answer]);
    expect(bench.counters.badFrames).toBe(0);
  });

  it('tells when the port is lost, and asks nothing more of the time', () => {
    const bench = started();
    bench.hear(read.subarray(0, 4));
    const error = new BusbarError('modbus_unreachable');
    bench.service.closed(error);
    expect(bench.losses).toEqual([error]);
    expect(bench.scheduler.scheduledTasks).toBe(0);
  });

  it('fails to open with what the port says', async () => {
    const bench = new SerialBench('rtu', false);
    const error = new BusbarError('modbus_unreachable');
    bench.service.closed(error);
    await expect(bench.open).rejects.toBe(error);
    expect(bench.losses).toEqual([]);
  });

  it('sends nothing once it is closed', async () => {
    const bench = started();
    bench.hear(read);
    await bench.service.close();
    bench.clock.advanceUs(50_000);
    expect(bench.link.writes).toEqual([]);
    expect(bench.link.isClosed).toBe(true);
  });
});

describe('SerialService over ASCII', () => {
  it('answers at once, as frames have an end of their own', () => {
    const bench = new SerialBench('ascii');
    bench.hear(':110300000001EB\r\n');
    bench.clock.advanceUs(0);
    expect(bench.link.sent).toBe(Buffer.from(':1103020000EA\r\n').toString('hex'));
  });

  it('counts requests to other units, and none of their answers', () => {
    const bench = new SerialBench('ascii');
    for (let asked = 0; asked < 3; asked++) {
      bench.hear(':120300000001EA\r\n', ':1203021234A3\r\n');
    }
    bench.hear(':12830269\r\n');
    expect(bench.counters.record()).toMatchObject({ foreign_unit: 3, bad_frames: 0 });
  });

  it('is silent to a frame whose checksum is wrong', () => {
    const bench = new SerialBench('ascii');
    bench.hear(':110300000001EC\r\n');
    bench.clock.advanceUs(2_000_000);
    expect(bench.link.writes).toEqual([]);
    expect(bench.counters.badFrames).toBe(1);
  });
});
