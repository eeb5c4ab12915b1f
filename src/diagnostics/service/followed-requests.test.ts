import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Channel } from '../../bench/channel.ts';
import { TableRig } from '../../bench/testing/table-rig.ts';
import { formatHex, parseHex } from '../../frame/hex-bytes.ts';
import { addressKey } from '../../pdu/isotp/addressing.ts';
import { linkOf } from '../../pdu/isotp/link-settings.ts';
import type { AskOptions } from './active-request.ts';
import { DiagnosticLink, type FunctionalRequest } from './diagnostic-link.ts';
import type { TransportListener } from './link-transport.ts';
import { engine } from './testing/link-rig.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 64 });

/** A link whose port reports in the order of the test. */
class ReportRig extends TableRig {
  readonly requests: string[] = [];
  /** Response of an ask, or the code of its error. */
  outcome: string | null = null;
  readonly #from: number;
  #listener: TransportListener | undefined;
  readonly link: DiagnosticLink;

  constructor() {
    super();
    const { clock, scheduler } = this;
    const link = linkOf(engine);
    this.#from = addressKey(link.pair.response);
    this.link = new DiagnosticLink({
      ...{ ecu: 'engine', inBench: true, text: engine.channel, link, clock, scheduler },
      ...{ dids: undefined, seedKey: undefined, onFunctional: () => undefined },
      openTransport: (_channel: Channel, _link, listener) => {
        this.#listener = listener;
        return {
          ...{ isAwaitingFlow: false, delayUs: 0, maxFunctional: 7 },
          send: (payload) => this.requests.push(formatHex(payload)),
          ...{ cancel: () => undefined, endRequest: () => undefined, close: () => undefined },
          ...{ sendPresence: () => undefined, cancelPresence: () => undefined },
        };
      },
    });
  }

  static async opened(): Promise<ReportRig> {
    const rig = new ReportRig();
    rig.link.attach(await rig.open(0));
    return rig;
  }

  ask(request: string, options: AskOptions = {}): void {
    this.outcome = null;
    this.link.request(bytes(request), options).then(
      ({ response }) => {
        this.outcome = response ? formatHex(response.payload) : 'none';
      },
      ({ code }) => {
        this.outcome = code;
      },
    );
  }

  began(): void {
    this.#listener?.began(this.clock.monotonicUs(), this.#from);
  }

  received(payload: string): void {
    this.#listener?.received(bytes(payload), this.clock.monotonicUs(), this.#from);
  }

  answered(payload: string): void {
    this.began();
    this.received(payload);
  }

  /** The port reports that TesterPresent was sent. */
  presence(): void {
    this.#listener?.presenceSent(this.clock.monotonicUs());
  }

  /** The port reports that a request was sent some time ago. */
  async sent(beforeUs = 0): Promise<void> {
    this.#listener?.sent(this.clock.monotonicUs() - beforeUs);
    await nextTurn();
  }

  /** A request that the port reports as sent immediately. */
  async request(text: string, options?: AskOptions): Promise<void> {
    this.ask(text, options);
    await this.pass(0);
    await this.sent();
  }

  /** Enters session 3, with P2* of 20 s. */
  async enterSession(): Promise<void> {
    await this.request('1003');
    this.answered('5003003207D0');
    await this.pass(0);
  }

  /** The bus is silent for a time. */
  async pass(us: number): Promise<void> {
    this.clock.advanceUs(us);
    await nextTurn();
  }

  get facts() {
    const { session, security_level, counters } = this.link.record();
    return [session, security_level, counters.findings];
  }
}

/** How callers send without awaiting the response, or not as UDS. */
const ways: readonly (readonly [string, AskOptions, string])[] = [
  ['that is not awaited', { wait: false }, 'none'],
  ['of another protocol', { protocol: 'isotp', wait: false }, 'none'],
];

describe.each(ways)('the response to a request %s', (_, options) => {
  it.each([
    ['the session', '1003', '5003003201F4', [3, 0, 0]],
    ['the security level', '270211223344', '6702', [1, 1, 0]],
  ])(
    'that is read before the report of the request changes %s',
    async (_, request, answer, then) => {
      const rig = await ReportRig.opened();
      rig.ask(request, options);
      await rig.pass(1000);
      rig.answered(answer);
      await rig.sent(500);
      expect(rig.outcome).toBe('none');
      expect(rig.facts).toEqual(then);
    },
  );

  it('that begins before the report of the request is followed to its end', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1003', options);
    await rig.pass(1000);
    rig.began();
    await rig.sent(500);
    await rig.pass(500_000);
    rig.received('5003003201F4');
    expect(rig.facts).toEqual([3, 0, 0]);
  });

  it('that is 0x78 before the report of the request is followed by the final one', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1003', options);
    await rig.pass(1000);
    rig.answered('7F1078');
    await rig.sent(500);
    await rig.pass(4_900_000);
    rig.answered('5003003201F4');
    expect(rig.facts).toEqual([3, 0, 0]);
  });

  it('does not begin before the request has ended', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1003', options);
    await rig.pass(1000);
    rig.answered('5003003201F4');
    await rig.pass(1000);
    await rig.sent(500);
    expect(rig.facts).toEqual([1, 0, 1]);
  });

  it.each([
    ['7F1022', 1],
    ['5003003201F4', 3],
  ])('%s counts although the time-out comes late', async (answer, session) => {
    const rig = await ReportRig.opened();
    rig.ask('1083', options);
    await rig.pass(1000);
    await rig.sent();
    // The thread is busy while the response waits to be read.
    rig.clock.spendUs(200_000);
    await rig.pass(0);
    rig.answered(answer);
    expect(rig.facts).toEqual([session, 0, 0]);
  });

  it('that is suppressed counts as positive after a late time-out, too', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1083', options);
    await rig.pass(1000);
    await rig.sent();
    rig.clock.spendUs(200_000);
    await rig.pass(0);
    await rig.pass(3000);
    expect(rig.facts).toEqual([3, 0, 0]);
  });

  it('is followed while the next request is being sent', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1003', options);
    await rig.pass(1000);
    await rig.sent();
    rig.answered('7F1078');
    rig.ask('22F190');
    await rig.pass(1000);
    rig.answered('5003003201F4');
    await rig.pass(1000);
    await rig.sent();
    expect(rig.facts).toEqual([3, 0, 0]);
    rig.answered('62F19001');
    await rig.pass(0);
    expect(rig.outcome).toBe('62F19001');
  });
});

describe('the first response to a raw request', () => {
  it.each([false, true])(
    'that is 0x78 is followed by the final one, functional: %s',
    async (functional) => {
      const rig = await ReportRig.opened();
      rig.ask('1003', { protocol: 'isotp', functional });
      await rig.pass(1000);
      await rig.sent();
      rig.answered('7F1078');
      await rig.pass(60_000);
      expect([rig.outcome, ...rig.facts]).toEqual(['7F1078', 1, 0, 0]);
      await rig.pass(4_800_000);
      rig.answered('7F1078');
      await rig.pass(4_800_000);
      rig.answered('5003003201F4');
      expect(rig.facts).toEqual([3, 0, 0]);
      await rig.pass(4_000_000);
      expect(rig.facts[0]).toBe(3);
      await rig.pass(2_000_000);
      expect(rig.facts[0]).toBe(1);
    },
  );

  it('keeps the session while it is 0x78, but no longer than P2*', async () => {
    const rig = await ReportRig.opened();
    await rig.request('1003');
    rig.answered('5003003203E8');
    await rig.pass(0);
    await rig.request('31010203', { protocol: 'isotp' });
    rig.answered('7F3178');
    await rig.pass(9_000_000);
    expect(rig.facts).toEqual([3, 0, 0]);
    await rig.pass(1_100_000);
    await rig.pass(5_100_000);
    expect(rig.facts).toEqual([1, 0, 0]);
  });

  it('that is read before the report of the request is followed, too', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1003', { protocol: 'isotp' });
    await rig.pass(1000);
    rig.answered('7F1078');
    await rig.sent(500);
    expect(rig.outcome).toBe('7F1078');
    rig.answered('5003003201F4');
    expect(rig.facts).toEqual([3, 0, 0]);
  });

  it('that does not answer the request leaves the session to the one that does', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1003', { protocol: 'isotp' });
    await rig.pass(1000);
    await rig.sent();
    rig.answered('62F19001');
    await rig.pass(1000);
    expect([rig.outcome, ...rig.facts]).toEqual(['62F19001', 1, 0, 0]);
    rig.answered('5003003201F4');
    expect(rig.facts).toEqual([3, 0, 0]);
  });
});

describe('the response to one of several requests', () => {
  it('follows the silence of an earlier one that suppresses its response', async () => {
    const rig = await ReportRig.opened();
    await rig.request('1083', { wait: false });
    rig.ask('1001');
    await rig.pass(1000);
    await rig.sent();
    rig.answered('5001003201F4');
    await rig.pass(0);
    expect([rig.outcome, ...rig.facts]).toEqual(['5001003201F4', 1, 0, 0]);
    await rig.pass(100_000);
    expect(rig.facts).toEqual([1, 0, 0]);
  });

  it('is that to the one that does not suppress it', async () => {
    const rig = await ReportRig.opened();
    for (const request of ['1083', '1181', '1003']) {
      rig.ask(request, { wait: false });
      await rig.pass(0);
      await rig.sent();
    }
    rig.answered('5003003201F4');
    await rig.pass(100_000);
    expect(rig.facts).toEqual([3, 0, 0]);
  });

  it('leaves the level open that it unlocked after a session without a response', async () => {
    const rig = await ReportRig.opened();
    await rig.request('1083', { wait: false });
    await rig.request('270211223344');
    rig.answered('6702');
    await rig.pass(100_000);
    expect(rig.facts).toEqual([3, 1, 0]);
  });

  it('counts for the earlier one of two raw requests, if it answers that', async () => {
    const rig = await ReportRig.opened();
    await rig.request('1003', { protocol: 'isotp' });
    rig.answered('7F1078');
    await rig.pass(0);
    await rig.request('22F190', { protocol: 'isotp' });
    rig.answered('5003003201F4');
    await rig.pass(0);
    expect([rig.outcome, ...rig.facts]).toEqual(['5003003201F4', 3, 0, 0]);
  });

  it('counts for a request whose caller no longer waits', async () => {
    const rig = await ReportRig.opened();
    await rig.request('1003', { timeoutUs: 10_000 });
    await rig.pass(11_000);
    rig.answered('5003003201F4');
    expect([rig.outcome, ...rig.facts]).toEqual(['no_response', 3, 0, 0]);
  });

  it('counts for a request that was abandoned after 0x78', async () => {
    const rig = await ReportRig.opened();
    await rig.request('1003');
    rig.answered('7F1078');
    rig.link.abandon(new BusbarError('operation_cancelled'));
    await rig.pass(4_000_000);
    rig.answered('5003003201F4');
    expect([rig.outcome, ...rig.facts]).toEqual(['operation_cancelled', 3, 0, 0]);
  });
});

describe('messages that are read before the report of a request', () => {
  it('keep their order', async () => {
    const rig = await ReportRig.opened();
    rig.ask('22F190');
    await rig.pass(1000);
    rig.answered('62F19001');
    rig.answered('62F18702');
    await rig.sent(500);
    expect([rig.outcome, ...rig.facts]).toEqual(['62F19001', 1, 0, 1]);
  });

  it('can be 0x78 and the final response', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1003', { protocol: 'isotp' });
    await rig.pass(1000);
    rig.answered('7F1078');
    rig.answered('5003003201F4');
    await rig.sent(500);
    expect([rig.outcome, ...rig.facts]).toEqual(['7F1078', 3, 0, 0]);
  });

  it('count although another one begins', async () => {
    const rig = await ReportRig.opened();
    rig.ask('1003', { wait: false });
    await rig.pass(1000);
    rig.answered('5003003201F4');
    rig.began();
    await rig.sent(500);
    expect(rig.facts).toEqual([3, 0, 0]);
  });

  it('answer earlier requests if that one is never sent', async () => {
    const rig = await ReportRig.opened();
    await rig.request('1003', { wait: false });
    rig.answered('7F1078');
    rig.ask('22F190', { timeoutUs: 10_000 });
    await rig.pass(1000);
    rig.answered('5003003201F4');
    await rig.pass(10_000);
    expect([rig.outcome, ...rig.facts]).toEqual(['hardware_timeout', 3, 0, 0]);
  });
});

describe('a session', () => {
  it.each<readonly [string, AskOptions]>([
    ['is not awaited', { wait: false }],
    ['is awaited as ISO-TP', { protocol: 'isotp' }],
  ])('does not end while a request that %s is pending', async (_, options) => {
    const rig = await ReportRig.opened();
    await rig.enterSession();
    await rig.request('31010203', options);
    rig.answered('7F3178');
    await rig.pass(1000);
    rig.presence();
    await rig.request('22F190');
    rig.answered('7F2221');
    await rig.pass(12_000_000);
    expect(rig.facts).toEqual([3, 0, 0]);
    rig.answered('7101020300');
    await rig.pass(4_900_000);
    expect(rig.facts).toEqual([3, 0, 0]);
    await rig.pass(200_000);
    expect(rig.facts).toEqual([1, 0, 0]);
  });

  it.each([true, false])('is not entered by silence after 0x78, awaited: %s', async (wait) => {
    const rig = await ReportRig.opened();
    await rig.request('1083', { wait });
    rig.answered('7F1078');
    await rig.pass(0);
    await rig.pass(5_000_001);
    expect([rig.outcome, ...rig.facts]).toEqual([
      wait ? 'response_pending_timeout' : 'none',
      ...[1, 0, 0],
    ]);
  });
});

describe('functional requests of another link', () => {
  const other = (rig: ReportRig, state: FunctionalRequest['state'], id = 0x7df): void => {
    const [key, request] = [{}, bytes('22F190')];
    const address = linkOf({ ...engine, functional_id: id }).pair.functional;
    if (address) rig.link.functional({ key, request, to: address, state });
  };

  it.each([0x7df, 0x6aa])('to %i leave a pending request to its response', async (id) => {
    const rig = await ReportRig.opened();
    await rig.request('1003', { wait: false });
    rig.answered('7F1078');
    for (let count = 0; count < 40; count++) other(rig, 'sending', 0x6aa);
    other(rig, 'sending', id);
    await rig.pass(100_000);
    rig.answered('5003003201F4');
    expect(rig.facts).toEqual([3, 0, 0]);
  });

  it('that address other ECUs do not keep the session', async () => {
    const rig = await ReportRig.opened();
    await rig.enterSession();
    other(rig, 'sending', 0x6aa);
    await rig.pass(5_000_001);
    expect(rig.facts).toEqual([1, 0, 0]);
  });
});
