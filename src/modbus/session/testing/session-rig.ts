import { FakeClock } from '../../../base/clock/testing/fake-clock.ts';
import type { BusbarError } from '../../../base/errors/busbar-error.ts';
import { Scheduler } from '../../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../../base/schedule/testing/fake-alarm.ts';
import { readRequest } from '../../pdu/make-request.ts';
import type { ModbusRequest } from '../../pdu/requests.ts';
import { readRegisters } from '../../pdu/wire-words.ts';
import type { Exchange, GoodResponse } from '../exchange.ts';
import { ModbusSession } from '../modbus-session.ts';
import type { Transport } from '../transport.ts';
import type { UnitTuning } from '../unit-tuning.ts';
import { ScriptedTransport } from './scripted-transport.ts';

/** An exchange that records its result, and fails if it ends twice. */
export class RecordedExchange implements Exchange {
  readonly unit: number;
  readonly request: ModbusRequest;
  readonly timeoutMs: number;
  readonly tuning: UnitTuning | undefined;
  endings = 0;
  registers: number[] | undefined;
  response: GoodResponse['kind'] | undefined;
  error: BusbarError | undefined;
  onEnd: (() => void) | undefined;

  constructor(unit: number, request: ModbusRequest, timeoutMs: number, tuning?: UnitTuning) {
    this.unit = unit;
    this.request = request;
    this.timeoutMs = timeoutMs;
    this.tuning = tuning;
  }

  /** The result: the kind of the response, the error code, or null while pending. */
  get ending(): string | undefined {
    return this.response ?? this.error?.code;
  }

  answered(response: GoodResponse): undefined {
    this.response = response.kind;
    if (response.kind === 'registers') {
      const registers = new Uint16Array(response.count);
      readRegisters(response.data, response.dataAt, response.count, registers);
      this.registers = [...registers];
    }
    this.#end();
  }

  failed(error: BusbarError): void {
    this.error = error;
    this.#end();
  }

  #end(): void {
    this.endings += 1;
    this.onEnd?.();
  }
}

/** A session under a fake clock with a transport controlled by the test. */
export class SessionRig {
  readonly clock = new FakeClock();
  readonly scheduler: Scheduler;
  readonly transport: ScriptedTransport;
  readonly session: ModbusSession;

  constructor(kind: Transport['kind'], { queueLimit = 1024 } = {}) {
    this.scheduler = fakeScheduler(this.clock);
    this.transport = new ScriptedTransport(kind);
    const { clock, scheduler, transport } = this;
    this.session = new ModbusSession({ transport, clock, scheduler, queueLimit });
  }

  ask(
    unit: number,
    request: ModbusRequest = readRequest('holding', 0, 1),
    timeoutMs = 1000,
    tuning?: UnitTuning,
  ) {
    const exchange = new RecordedExchange(unit, request, timeoutMs, tuning);
    this.session.submit(exchange);
    return exchange;
  }

  advanceMs(ms: number): void {
    this.clock.advanceUs(ms * 1000);
  }

  /** Everything written on all links, in order. */
  get written(): readonly string[] {
    return this.transport.links.flatMap(({ written }) => written);
  }
}

/** A scheduler driven by the fake clock; it throws the errors of its tasks. */
export const fakeScheduler = (clock: FakeClock): Scheduler =>
  new Scheduler({
    clock,
    alarm: new FakeAlarm(clock),
    onError: (error) => {
      throw error;
    },
  });
