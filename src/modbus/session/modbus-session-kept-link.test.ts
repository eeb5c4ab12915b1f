import { describe, expect, it } from 'vitest';
import type { BusbarError } from '../../base/errors/busbar-error.ts';
import { readRequest } from '../pdu/make-request.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import type { Exchange, GoodResponse } from './exchange.ts';
import type { LinkUse } from './link-keeper.ts';
import { reasonOf } from './session-errors.ts';
import { encoderOf } from './testing/scripted-transport.ts';
import { RecordedExchange, SessionRig } from './testing/session-rig.ts';

/** A user of the link that records its calls with milliseconds. */
class RecordedUse implements LinkUse {
  readonly timeoutMs: number;
  readonly reported: [what: string, ms: number][] = [];

  constructor(timeoutMs = 1000) {
    this.timeoutMs = timeoutMs;
  }

  opened(nowUs: number): void {
    this.reported.push(['opened', nowUs / 1000]);
  }

  lost(error: BusbarError, nowUs: number): void {
    this.reported.push([reasonOf(error), nowUs / 1000]);
  }
}

const kept = (kind: 'tcp' | 'rtu' = 'tcp') => {
  const rig = new SessionRig(kind);
  rig.transport.accepts(rig.clock);
  const use = new RecordedUse();
  const end = rig.session.connect(use);
  return { rig, use, end };
};

describe('a session whose link is kept open', () => {
  it('makes the link without a request, and tells all that keep it', () => {
    const { rig, use } = kept();
    const other = new RecordedUse();
    rig.session.connect(other);
    rig.advanceMs(2);
    expect(rig.session.state).toBe('open');
    expect([use.reported, other.reported]).toEqual([[['opened', 1]], [['opened', 1]]]);
    expect(rig.written).toEqual([]);
  });

  it('tells one that comes later how the link is, but not before it has returned', () => {
    const { rig } = kept();
    rig.advanceMs(2);
    const later = new RecordedUse();
    rig.session.connect(later);
    expect(later.reported).toEqual([]);
    rig.advanceMs(0);
    expect(later.reported).toEqual([['opened', 2]]);
  });

  it('tells one that comes later that the link could not be made', () => {
    const rig = new SessionRig('tcp');
    rig.transport.refuses(rig.clock);
    rig.ask(1);
    rig.advanceMs(2);
    const later = new RecordedUse();
    rig.session.connect(later);
    rig.advanceMs(0);
    expect(later.reported).toEqual([['ECONNREFUSED', 2]]);
  });

  it('tries again after longer and longer, and makes the link when the peer is back', () => {
    const rig = new SessionRig('tcp');
    rig.transport.refuses(rig.clock);
    const use = new RecordedUse();
    rig.session.connect(use);
    rig.advanceMs(1000);
    expect(use.reported).toEqual([1, 102, 303, 704].map((ms) => ['ECONNREFUSED', ms]));
    rig.transport.accepts(rig.clock);
    rig.advanceMs(10_000);
    expect(use.reported.at(-1)).toEqual(['opened', 1505]);
    expect(rig.transport.links).toHaveLength(5);
  });

  it('makes a link again that broke', () => {
    const { rig, use } = kept();
    rig.advanceMs(10);
    rig.transport.last.lose();
    expect(use.reported.at(-1)).toEqual(['closed_by_peer', 10]);
    rig.advanceMs(1000);
    expect(use.reported.at(-1)).toEqual(['opened', 111]);
  });

  it('leaves a peer alone for longer that takes connections and ends them', () => {
    const rig = new SessionRig('tcp');
    const attemptsMs: number[] = [];
    rig.transport.onConnect = (link) => {
      attemptsMs.push(rig.clock.monotonicUs() / 1000);
      rig.clock.after(0, () => {
        link.open();
        link.lose();
      });
    };
    rig.session.connect(new RecordedUse());
    rig.advanceMs(12_000);
    expect(attemptsMs).toEqual([0, 100, 300, 700, 1500, 3100, 6300, 11_300]);
  });

  it('does not wait long where the link had lasted', () => {
    const { rig, use } = kept();
    for (let times = 0; times < 3; times++) {
      rig.advanceMs(6000);
      rig.transport.last.lose();
    }
    rig.advanceMs(200);
    expect(use.reported.at(-1)).toEqual(['opened', 18_101]);
  });

  it('gives up an attempt that takes too long', () => {
    const rig = new SessionRig('tcp');
    const [short, long] = [new RecordedUse(300), new RecordedUse(700)];
    rig.session.connect(short);
    rig.session.connect(long);
    rig.advanceMs(800);
    expect([short.reported, long.reported]).toEqual([
      [['connect_timeout', 700]],
      [['connect_timeout', 700]],
    ]);
    expect(rig.transport.links.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('tells no one of connections that a time-out ends, and makes the next one', () => {
    const { rig, use } = kept();
    const silent = rig.ask(1, undefined, 100);
    rig.advanceMs(150);
    expect(silent.ending).toBe('modbus_timeout');
    rig.advanceMs(1000);
    expect(use.reported.map(([what]) => what)).toEqual(['opened', 'opened']);
    expect(rig.session.state).toBe('open');
  });

  it('goes on connecting when the one request is given up', () => {
    const rig = new SessionRig('tcp');
    rig.session.connect(new RecordedUse());
    rig.advanceMs(0);
    rig.session.cancel(rig.ask(1));
    expect(rig.session.state).toBe('connecting');
  });

  it('ends with the last user', () => {
    const { rig, end } = kept();
    const endOther = rig.session.connect(new RecordedUse());
    rig.advanceMs(10);
    end();
    rig.transport.last.lose();
    rig.advanceMs(1000);
    expect(rig.transport.links).toHaveLength(2);
    endOther();
    rig.transport.last.lose();
    rig.advanceMs(60_000);
    expect(rig.transport.links).toHaveLength(2);
    expect(rig.scheduler.scheduledTasks).toBe(0);
  });

  it('opens a serial port again that was lost', () => {
    const { rig, use } = kept('rtu');
    rig.advanceMs(10);
    rig.transport.last.lose();
    rig.transport.refuses(rig.clock, 'ENOENT');
    rig.advanceMs(1000);
    rig.transport.accepts(rig.clock);
    rig.advanceMs(5000);
    expect(new Set(use.reported.map(([what]) => what))).toEqual(
      new Set(['opened', 'closed_by_peer', 'ENOENT']),
    );
    expect(rig.session.state).toBe('open');
  });
});

/** An exchange that sends two requests, and records its start. */
class TwoRequests implements Exchange {
  readonly unit = 1;
  readonly request = readRequest('holding', 0, 1);
  readonly timeoutMs = 1000;
  readonly startedMs: number[] = [];
  readonly endings: string[] = [];
  #asked = 1;

  started(nowUs: number): void {
    this.startedMs.push(nowUs / 1000);
  }

  answered(response: GoodResponse): ModbusRequest | undefined {
    this.#asked += 1;
    if (this.#asked === 2) return this.request;
    this.endings.push(response.kind);
    return undefined;
  }

  failed(error: BusbarError): void {
    this.endings.push(error.code);
  }
}

const tcpAnswer = (transaction: number): string =>
  `${transaction.toString(16).padStart(4, '0')}0000000501030200ff`;

describe('the start of an exchange', () => {
  it('is told once, when its first request goes out over the open link', () => {
    const rig = new SessionRig('tcp');
    rig.transport.accepts(rig.clock);
    const before = rig.ask(9);
    const exchange = new TwoRequests();
    rig.session.submit(exchange);
    rig.advanceMs(5);
    expect(exchange.startedMs).toEqual([]);
    rig.transport.last.receive('00010000000509030200ff');
    expect([before.ending, exchange.startedMs]).toEqual(['registers', [5]]);
    rig.advanceMs(5);
    rig.transport.last.receive(tcpAnswer(2));
    rig.advanceMs(5);
    rig.transport.last.receive(tcpAnswer(3));
    expect([exchange.startedMs, exchange.endings]).toEqual([[5], ['registers']]);
  });

  it('is not told where the link could not be made', () => {
    const rig = new SessionRig('tcp');
    rig.transport.refuses(rig.clock);
    const exchange = new TwoRequests();
    rig.session.submit(exchange);
    rig.advanceMs(2000);
    expect([exchange.startedMs, exchange.endings]).toEqual([[], ['modbus_unreachable']]);
  });

  it('is not the probe that goes out ahead of it', () => {
    const rig = new SessionRig('rtu');
    rig.transport.accepts(rig.clock);
    const encode = encoderOf('rtu');
    rig.ask(1, undefined, 100);
    rig.advanceMs(110);
    const exchange = new TwoRequests();
    rig.session.submit(exchange);
    rig.advanceMs(60);
    const [, probe = ''] = rig.written;
    expect([probe.slice(0, 4), exchange.startedMs]).toEqual(['0108', []]);
    rig.transport.last.receive(probe);
    rig.advanceMs(60);
    rig.transport.last.receive(encode(1, [3, 2, 0, 5]));
    expect(exchange.startedMs).toHaveLength(1);
  });
});

describe('an exchange that is withdrawn', () => {
  it('is not sent, and not told', () => {
    const rig = new SessionRig('tcp');
    rig.transport.accepts(rig.clock);
    const [first, second] = [rig.ask(1), new RecordedExchange(1, readRequest('coil', 0, 1), 1000)];
    rig.session.submit(second);
    expect(rig.session.withdraw(second)).toBe(true);
    rig.advanceMs(5);
    expect(rig.session.withdraw(first)).toBe(false);
    rig.transport.last.receive('000100000005010302002a');
    rig.advanceMs(10);
    expect([first.ending, second.endings, rig.written.length]).toEqual(['registers', 0, 1]);
    const { requests, responses, failures } = rig.session.counters.counts;
    expect(requests).toBe(responses + failures);
  });
});
