import { FakeClock } from '../../../base/clock/testing/fake-clock.ts';
import { PollService } from '../../../modbus/client/poll-service.ts';
import type { FrameReceiver } from '../../../modbus/framing/framing.ts';
import { HandlerBench } from '../../../modbus/server/testing/handler-bench.ts';
import { ModbusLinks } from '../../../modbus/service/modbus-links.ts';
import { SessionPool } from '../../../modbus/session/session-pool.ts';
import {
  framingFor,
  type ScriptedLink,
  ScriptedTransport,
} from '../../../modbus/session/testing/scripted-transport.ts';
import { fakeScheduler } from '../../../modbus/session/testing/session-rig.ts';
import type { EndpointKind, ResolvedEndpoint } from '../../../modbus/transport/endpoint.ts';
import { defaultSettings } from '../../../modbus/transport/endpoint-text.ts';
import type { TaskError } from '../../values/task-error.ts';
import { type PollOrder, UnitLink, type UnitLinkOwner } from '../unit-link.ts';

const answerMs = 1;

/** Records a unit's reports to an instance. */
export class RecordedOwner implements UnitLinkOwner {
  readonly reported: unknown[][] = [];

  polled(poll: number, items: Uint16Array, atUs: number): void {
    this.reported.push(['polled', poll, [...items], atUs / 1000]);
  }

  pollRefused(poll: number, atUs: number): void {
    this.reported.push(['refused', poll, atUs / 1000]);
  }

  pollMissed(count: number): void {
    this.reported.push(['missed', count]);
  }

  groupStarted(task: number, atUs: number): void {
    this.reported.push(['started', task, atUs / 1000]);
  }

  settled(task: number, error: TaskError | null, atUs: number): void {
    this.reported.push(['settled', task, error, atUs / 1000]);
  }

  linkLost(error: TaskError): void {
    this.reported.push(['lost', error]);
  }

  linkOpened(): void {
    this.reported.push(['opened']);
  }

  /** Returns and removes the reports with these names. */
  take(...names: readonly string[]): unknown[][] {
    const taken = this.reported.filter(
      ([name]) => names.length === 0 || names.includes(String(name)),
    );
    this.reported.length = 0;
    return taken;
  }
}

/** Starts a link with polls. */
export const startPolls = (link: UnitLink, orders: readonly PollOrder[]): void => {
  link.start();
  for (const order of orders) link.poll(order);
};

/** Position of the cut: in the request or response with this index, after this many bytes. */
export interface Cut {
  readonly of: 'request' | 'answer';
  readonly index: number;
  readonly bytes: number;
}

/** Units on one link under a fake clock, and their sessions. */
export class UnitRig {
  readonly clock = new FakeClock();
  readonly scheduler = fakeScheduler(this.clock);
  readonly transport: ScriptedTransport;
  readonly pool: SessionPool;
  readonly links: ModbusLinks;
  /** Units that answer; all others are silent. */
  readonly units = new Map<number, HandlerBench>();
  /** Complete requests received by units: unit and PDU. */
  readonly requests: [unit: number, pdu: string][] = [];
  cut: Cut | undefined;
  readonly #resolved: ResolvedEndpoint;
  #writes = 0;
  #answers = 0;

  constructor(kind: EndpointKind = 'tcp', unitIds: readonly number[] = [1]) {
    const { clock, scheduler } = this;
    this.transport = new ScriptedTransport(kind);
    this.pool = new SessionPool({ clock, scheduler, transportTo: () => this.transport });
    this.links = new ModbusLinks(this.pool, new PollService({ clock, scheduler, pool: this.pool }));
    for (const unit of unitIds) this.units.set(unit, new HandlerBench());
    this.#resolved =
      kind === 'rtu' || kind === 'ascii'
        ? {
            kind,
            named: '/dev/ttyS0',
            path: '/dev/ttyS0',
            settings: defaultSettings[kind],
            key: 'tty:1',
            text: `${kind}:/dev/ttyS0`,
          }
        : {
            kind,
            address: '10.0.0.1',
            port: 502,
            key: 'tcp:10.0.0.1:502',
            text: `${kind}:plc:502`,
          };
    this.connects();
  }

  /** The peer accepts connections. */
  connects(): void {
    this.transport.accepts(this.clock, (link) => this.#serve(link));
  }

  /** The peer accepts no connections, and closes existing ones. */
  isRemoved(): void {
    this.transport.refuses(this.clock);
    for (const link of this.transport.links) link.lose();
  }

  link(unit = 1, owner = new RecordedOwner(), timeoutMs = 100) {
    const { links, clock } = this;
    const lease = links.lease(this.#resolved);
    const link = new UnitLink({ links, lease, clock, unit, timeoutMs }, owner);
    return { link, owner, session: lease.session };
  }

  model(unit = 1) {
    return (this.units.get(unit) as HandlerBench).model;
  }

  advanceMs(ms: number): void {
    this.clock.advanceUs(ms * 1000);
  }

  /** Everything written on any link, whether it arrived or not. */
  get written(): readonly string[] {
    return this.transport.links.flatMap(({ written }) => written);
  }

  #serve(link: ScriptedLink): void {
    const receiver: FrameReceiver = {
      frame: (transaction, unit, bytes, at, length) => {
        const pdu = Buffer.from(bytes.subarray(at, at + length)).toString('hex');
        this.requests.push([unit, pdu]);
        const answer = this.units.get(unit)?.ask(pdu);
        if (answer === undefined) return;
        const reported = Buffer.from(answer, 'hex');
        const into = new Uint8Array(framing.maxLength);
        const reply = into.slice(
          0,
          framing.encode(into, 0, transaction, unit, reported, 0, reported.length),
        );
        framing.sent();
        this.clock.after(answerMs, () => this.#deliver(link, 'answer', this.#answers++, reply));
      },
      problem: () => undefined,
    };
    const framing = framingFor(this.transport.kind, 'server', receiver);
    link.onWrite = (bytes) => {
      const index = this.#writes++;
      if (!this.#isCut('request', index)) framing.push(bytes, this.clock.monotonicUs());
      else {
        framing.push(bytes.slice(0, this.cut?.bytes), this.clock.monotonicUs());
        this.clock.after(answerMs, () => link.lose());
      }
    };
  }

  #deliver(link: ScriptedLink, of: Cut['of'], index: number, bytes: Uint8Array): void {
    if (!this.#isCut(of, index)) {
      link.receive(bytes);
      return;
    }
    if ((this.cut?.bytes ?? 0) > 0) link.receive(bytes.slice(0, this.cut?.bytes));
    link.lose();
  }

  #isCut(of: Cut['of'], index: number): boolean {
    return this.cut?.of === of && this.cut.index === index;
  }
}
