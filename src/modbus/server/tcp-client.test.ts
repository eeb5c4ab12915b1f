import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import type { FrameReceiver, Framing } from '../framing/framing.ts';
import { createStreamFraming } from '../framing/serial-framing.ts';
import { TcpFraming } from '../framing/tcp-framing.ts';
import { bytesOf } from '../pdu/testing/bytes-of.ts';
import { encoderOf } from '../session/testing/scripted-transport.ts';
import { AnswerBuffer, answerBufferBytes, TcpClient } from './tcp-client.ts';
import { FakeLink } from './testing/fake-link.ts';
import { HandlerBench } from './testing/handler-bench.ts';

const unit = 5;

const frameOf = (transaction: number, pdu: string, toUnit = unit): Uint8Array => {
  const bytes = bytesOf(pdu);
  const frame = Buffer.alloc(7 + bytes.length);
  frame.writeUInt16BE(transaction, 0);
  frame.writeUInt16BE(1 + bytes.length, 4);
  frame[6] = toUnit;
  frame.set(bytes, 7);
  return frame;
};

/** Units that are slow, silent or return exceptions. */
const faultyUnits = {
  20: [{ delayMs: 100 }],
  21: [{ silent: true }],
  22: [{ exception: 6, delayMs: 50 }],
};

class ClientBench extends HandlerBench {
  readonly clock = new FakeClock();
  readonly link = new FakeLink();
  readonly answers = new AnswerBuffer(answerBufferBytes);
  readonly postponed: TcpClient[] = [];
  departures = 0;
  /** Due times of late responses. */
  wakeUs = Number.POSITIVE_INFINITY;
  readonly client = new TcpClient(this.link, {
    clock: this.clock,
    units: this.unitsOf(unit, faultyUnits),
    counters: this.counters,
    answers: this.answers,
    createFraming: (receiver) => this.createFraming(receiver),
    wakeAt: (_, dueUs) => {
      this.wakeUs = dueUs;
    },
    postpone: (client) => void this.postponed.push(client),
    left: () => {
      this.departures += 1;
    },
  });

  createFraming(receiver: FrameReceiver): Framing {
    return new TcpFraming(receiver);
  }

  /** Runs later turns of the client until none is requested. */
  runTurns(): void {
    for (let client = this.postponed.shift(); client; client = this.postponed.shift()) {
      client.serveRest();
    }
  }
}

/** The same for frames of a serial line. */
class RtuClientBench extends ClientBench {
  override createFraming(receiver: FrameReceiver): Framing {
    return createStreamFraming(receiver, { side: 'server' });
  }
}

const conversation = Buffer.concat([
  frameOf(1, '10 0000 0004 08 0001 0002 0003 0004'),
  frameOf(2, '03 0000 0004'),
  frameOf(3, '63'),
  frameOf(4, '03 0000 0001', unit + 1),
  frameOf(5, '0F 0000 000A 02 FF03'),
  frameOf(6, '01 0000 000A'),
  frameOf(0xffff, '17 0000 0002 0001 0001 02 0009'),
]);

const answers = [
  '000100000006051000000004',
  '00020000000b0503080001000200030004',
  '00030000000305e301',
  '000500000006050f0000000a',
  '000600000005050102ff03',
  'ffff0000000705170400010009',
].join('');

describe('TcpClient', () => {
  it('answers requests that come together in order and in one write', () => {
    const bench = new ClientBench();
    bench.client.bytes(conversation);
    expect(bench.link.writes).toEqual([answers]);
    expect(bench.counters.otherUnit).toBe(1);
    expect(bench.counters.bytesReceived).toBe(conversation.length);
    expect(bench.counters.bytesSent).toBe(answers.length / 2);
  });

  it('answers the same wherever the stream is cut', () => {
    for (let first = 0; first <= conversation.length; first++) {
      for (let second = first; second <= conversation.length; second += 7) {
        const bench = new ClientBench();
        bench.client.bytes(conversation.subarray(0, first));
        bench.client.bytes(conversation.subarray(first, second));
        bench.client.bytes(conversation.subarray(second));
        expect(bench.link.sent).toBe(answers);
      }
    }
  });

  it('answers the same byte by byte', () => {
    const bench = new ClientBench();
    for (const byte of conversation) bench.client.bytes(Uint8Array.of(byte));
    expect(bench.link.sent).toBe(answers);
  });

  it('serves what came before the stream turned out not to be Modbus, and closes', () => {
    const bench = new ClientBench();
    const broken = bytesOf('0007 0001 0006 05 03 0000 0001');
    bench.client.bytes(Buffer.concat([frameOf(1, '03 0000 0001'), broken, conversation]));
    expect(bench.link.sent).toBe('0001000000050503020000');
    expect(bench.link.isClosed).toBe(true);
    expect(bench.departures).toBe(1);
    expect(bench.counters.badFrames).toBe(1);
  });

  it('leaves once, whichever side closes', () => {
    const bench = new ClientBench();
    bench.client.close();
    bench.client.close();
    bench.client.closed();
    expect(bench.departures).toBe(1);
  });

  const readFrom = (transaction: number, toUnit: number): Uint8Array =>
    frameOf(transaction, '03 0000 0001', toUnit);
  const answerOf = (transaction: number, fromUnit: number): string =>
    `000${transaction}00000005${fromUnit.toString(16).padStart(2, '0')}03020000`;

  it('serves several units, each over the same connection', () => {
    const bench = new ClientBench();
    bench.client.bytes(Buffer.concat([readFrom(1, unit), readFrom(2, 21), readFrom(3, unit)]));
    expect(bench.link.sent).toBe(answerOf(1, unit) + answerOf(3, unit));
    expect(bench.counters.record()).toMatchObject({
      requests: 3,
      foreign_unit: 0,
      faults: { silent: 1, delayed: 0, exceptions: 0 },
    });
  });

  it('answers for a slow unit late, and for all that were asked after it in their order', () => {
    const bench = new ClientBench();
    bench.client.bytes(Buffer.concat([readFrom(1, 20), readFrom(2, unit), readFrom(3, 22)]));
    expect(bench.link.sent).toBe('');
    expect(bench.wakeUs).toBe(100_000);
    expect(bench.client.wake(99_999)).toBe(100_000);
    expect(bench.link.sent).toBe('');
    // The immediate response is sent together with the one it waited for.
    expect(bench.client.wake(100_000)).toBe(150_000);
    expect(bench.link.sent).toBe(answerOf(1, 20) + answerOf(2, unit));
    expect(bench.client.wake(150_000)).toBe(Number.POSITIVE_INFINITY);
    expect(bench.link.sent).toBe(`${answerOf(1, 20) + answerOf(2, unit)}000300000003168306`);
    bench.client.bytes(readFrom(4, unit));
    expect(bench.link.sent.endsWith(answerOf(4, unit))).toBe(true);
    expect(bench.counters.record()).toMatchObject({
      exceptions: { 6: 1 },
      faults: { silent: 0, delayed: 2, exceptions: 1 },
      bytes_sent: bench.link.sent.length / 2,
    });
  });

  it('stops listening to a client that asks a slow unit too much, and loses none of it', () => {
    const bench = new ClientBench();
    const asked = Buffer.concat(Array.from({ length: 2000 }, () => readFrom(1, 20)));
    bench.client.bytes(asked);
    expect(bench.link.isPaused).toBe(true);
    expect(bench.counters.record().requests).toBeLessThan(600);
    for (let nowUs = bench.wakeUs; Number.isFinite(nowUs); nowUs += 100_000) {
      bench.clock.advanceToUs(nowUs);
      if (bench.client.wake(nowUs) === Number.POSITIVE_INFINITY) {
        bench.runTurns();
        if (!bench.link.isPaused) break;
      }
      bench.runTurns();
    }
    expect(bench.link.sent).toBe(answerOf(1, 20).repeat(2000));
  });

  /** Short requests for the longest responses, each of which contains its index. */
  const flood = (count: number): Buffer =>
    Buffer.concat(Array.from({ length: count }, (_, index) => frameOf(index, '03 0000 007D')));
  const floodAnswers = (count: number): string =>
    Array.from({ length: count }, (_, index) => {
      const transaction = index.toString(16).padStart(4, '0');
      return `${transaction}000000fd0503fa${'00'.repeat(250)}`;
    }).join('');

  it('has room for the longest answers to the shortest requests that have such', () => {
    const value = new Uint8Array(244).fill(0x41);
    const bench = new ClientBench({ identity: { conformity: 0x81, objects: [{ id: 0, value }] } });
    const requests = Buffer.alloc(94 * 11, frameOf(1, '2B 0E 01 00'));
    const answer = `0001000000fe052b0e018100000100f4${'41'.repeat(244)}`;
    // All but the last byte of the first, so that one chunk completes as many requests as
    // possible.
    bench.client.bytes(requests.subarray(0, 10));
    bench.client.bytes(requests.subarray(10));
    expect(bench.link.writes).toEqual([answer.repeat(94)]);
  });

  it('answers requests that are too short with exceptions', () => {
    const bench = new ClientBench();
    bench.client.bytes(Buffer.concat(Array.from({ length: 200 }, () => frameOf(1, '07'))));
    expect(bench.link.sent).toBe('000100000003058701'.repeat(200));
  });

  it('gives others a turn within a long read, and then goes on', () => {
    const bench = new ClientBench();
    bench.client.bytes(flood(1000));
    expect(bench.postponed).toHaveLength(1);
    expect(bench.link.isPaused).toBe(true);
    const before = bench.counters.record().requests;
    expect(before).toBeGreaterThan(300);
    expect(before).toBeLessThan(400);
    bench.runTurns();
    expect(bench.link.sent).toBe(floodAnswers(1000));
    expect(bench.link.isPaused).toBe(false);
  });

  it('gives others a turn earlier where every byte may begin a frame', () => {
    const bench = new RtuClientBench();
    bench.client.bytes(Buffer.alloc(4096, Buffer.of(1, 15, 0, 0, 7, 0xb0, 246)));
    let turns = 1;
    for (let rest = bench.postponed.shift(); rest; rest = bench.postponed.shift()) {
      rest.serveRest();
      turns += 1;
    }
    expect(turns).toBe(4);
  });

  it('counts what was no frame once silence or the end of the connection tells so', () => {
    const [silent, gone] = [new RtuClientBench(), new RtuClientBench()];
    // A Modbus TCP request from a misconfigured client.
    const wrong = frameOf(1, '03 0000 0001');
    for (const bench of [silent, gone]) {
      bench.client.bytes(wrong);
      expect(bench.counters.badFrames).toBe(0);
    }
    silent.clock.advanceUs(silent.wakeUs);
    expect(silent.client.wake(silent.wakeUs)).toBe(Number.POSITIVE_INFINITY);
    gone.client.closed();
    for (const bench of [silent, gone]) expect(bench.counters.badFrames).toBe(1);
  });

  it('serves nothing that is whole only because the connection ends', () => {
    const bench = new RtuClientBench();
    // Its count announces more bytes than it has, so only silence or the end can end it.
    bench.client.bytes(encoderOf('rtu')(unit, [...bytesOf('10 0000 0001 04 0007')]));
    bench.client.closed();
    expect(bench.counters.record()).toMatchObject({ requests: 0 });
    expect(bench.answers.end).toBe(0);
    const other = new RtuClientBench();
    other.client.bytes(encoderOf('rtu')(unit, [...bytesOf('10 0000 0001 04 0007')]));
    other.clock.advanceUs(other.wakeUs);
    other.client.wake(other.wakeUs);
    expect(other.counters.record()).toMatchObject({ requests: 1, exceptions: { 3: 1 } });
    expect(other.link.sent.slice(0, 6)).toBe('059003');
  });

  it('puts a frame together between whose parts it did not listen', () => {
    const bench = new RtuClientBench();
    const frame = encoderOf('rtu');
    const long = frame(unit, [...bytesOf('10 0000 0001 02 0007')]);
    const read = frame(unit, [...bytesOf('03 0000 007D')]);
    bench.link.takes = false;
    // The requests after the first one cross the chunk borders.
    bench.client.bytes(Buffer.concat([long, ...Array.from({ length: 500 }, () => read)]));
    bench.runTurns();
    expect(bench.link.isPaused).toBe(true);
    for (let turn = 0; bench.link.isPaused && turn < 100; turn++) {
      bench.clock.advanceUs(2_000_000);
      bench.link.take();
      bench.client.drained();
      bench.runTurns();
    }
    expect(bench.counters.record()).toMatchObject({ requests: 501, bad_frames: 0 });
  });

  it('stops listening to a client that takes no answers, and loses none of them', () => {
    const bench = new ClientBench();
    bench.link.takes = false;
    bench.client.bytes(flood(3000));
    bench.runTurns();
    expect(bench.link.isPaused).toBe(true);
    expect(bench.link.maxBuffered).toBeGreaterThan(64 * 1024);
    for (let turn = 0; bench.link.isPaused && turn < 100; turn++) {
      bench.link.take();
      bench.client.drained();
      bench.runTurns();
    }
    bench.link.take();
    expect(bench.link.isPaused).toBe(false);
    expect(bench.link.maxBuffered).toBeLessThan(64 * 1024 + answerBufferBytes);
    expect(bench.link.sent).toBe(floodAnswers(3000));
  });

  it('listens again once the answers to all that it had heard are taken', () => {
    const bench = new ClientBench();
    bench.link.takes = false;
    while (!bench.link.isPaused) bench.client.bytes(flood(1));
    expect(bench.postponed).toEqual([]);
    bench.link.take();
    bench.client.drained();
    expect(bench.link.isPaused).toBe(false);
  });

  it('forgets what was left for later when the client goes', () => {
    const bench = new ClientBench();
    bench.client.bytes(flood(1000));
    const { length } = bench.link.sent;
    bench.client.closed();
    bench.runTurns();
    expect(bench.link.sent).toHaveLength(length);
  });
});
