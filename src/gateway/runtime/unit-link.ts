import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type {
  PeriodicRead,
  PeriodicReadOwner,
  PeriodicReadSettings,
} from '../../modbus/client/periodic-read.ts';
import { readItems } from '../../modbus/client/readings.ts';
import type { ModbusRequest, ReadBits, ReadRegisters } from '../../modbus/pdu/requests.ts';
import { readRegisters } from '../../modbus/pdu/wire-words.ts';
import type { ModbusLinks } from '../../modbus/service/modbus-links.ts';
import type { Exchange, GoodResponse } from '../../modbus/session/exchange.ts';
import type { LinkUse } from '../../modbus/session/link-keeper.ts';
import { reasonOf } from '../../modbus/session/session-errors.ts';
import type { SessionLease } from '../../modbus/session/session-pool.ts';
import type { UnitTuning } from '../../modbus/session/unit-tuning.ts';
import { isTcp } from '../../modbus/transport/endpoint.ts';
import { modifiedRequest, type WriteStep } from '../modbus/task-writes.ts';
import type { TaskError } from '../values/task-error.ts';

interface GroupTarget {
  readonly unit: number;
  readonly timeoutMs: number;
  readonly tuning?: UnitTuning | undefined;
}

interface GroupOwner {
  /** Time of its first request. Reported with the first response, or before the group completes. */
  groupStarted(group: WriteGroup, atUs: number): void;
  groupAnswered(): void;
  groupEnded(group: WriteGroup, error: BusbarError | null): void;
}

const nothingFound = new Uint16Array(0);

/** Write steps of a task as one exchange, so that no other request is sent in between. */
class WriteGroup implements Exchange {
  readonly task: number;
  readonly unit: number;
  readonly timeoutMs: number;
  readonly tuning: UnitTuning | undefined;
  readonly request: ModbusRequest;
  readonly #steps: readonly WriteStep[];
  readonly #owner: GroupOwner;
  #step = 0;
  #reads = 0;
  #found = nothingFound;
  #startedUs: number | undefined;

  constructor(
    task: number,
    steps: readonly WriteStep[],
    { unit, timeoutMs, tuning }: GroupTarget,
    owner: GroupOwner,
  ) {
    this.task = task;
    this.unit = unit;
    this.timeoutMs = timeoutMs;
    this.tuning = tuning;
    this.#steps = steps;
    this.#owner = owner;
    this.request = this.#requestOf(steps[0] as WriteStep);
  }

  /** The owner may still be submitting this group, or another that gets the link first. */
  started(nowUs: number): void {
    this.#startedUs = nowUs;
  }

  reportStart(): void {
    const atUs = this.#startedUs;
    this.#startedUs = undefined;
    if (atUs !== undefined) this.#owner.groupStarted(this, atUs);
  }

  answered(response: GoodResponse): ModbusRequest | undefined {
    this.reportStart();
    this.#owner.groupAnswered();
    const step = this.#steps[this.#step];
    if (response.kind === 'registers' && step?.kind === 'read_modify_write') {
      const at = (step.reads[this.#reads]?.address ?? 0) - step.address;
      readRegisters(response.data, response.dataAt, response.count, this.#found, at);
      this.#reads += 1;
    }
    if (step !== undefined) return this.#requestOf(step);
    this.#owner.groupEnded(this, null);
    return undefined;
  }

  failed(error: BusbarError): void {
    this.reportStart();
    this.#owner.groupEnded(this, error);
  }

  #requestOf(step: WriteStep): ModbusRequest {
    if (step.kind === 'read_modify_write') {
      if (this.#reads === 0) this.#found = new Uint16Array(step.words.length);
      const read = step.reads[this.#reads];
      if (read) return read;
    }
    this.#step += 1;
    this.#reads = 0;
    return step.kind === 'write' ? step.request : modifiedRequest(step, this.#found);
  }
}

export interface UnitLinkOwner {
  /** Registers, or bits as 0 and 1. Valid only during the call. */
  polled(poll: number, items: Uint16Array, atUs: number): void;
  pollRefused(poll: number, atUs: number): void;
  pollMissed(count: number): void;
  groupStarted(task: number, atUs: number): void;
  settled(task: number, error: TaskError | null, atUs: number): void;
  /** The link broke or could not be opened. Reported once, before the outcomes it causes. */
  linkLost(error: TaskError): void;
  linkOpened(): void;
}

export interface PollOrder {
  readonly poll: number;
  readonly periodMs: number;
  readonly request: ReadBits | ReadRegisters;
}

export interface UnitLinkParts extends GroupTarget {
  readonly links: Pick<ModbusLinks, 'poll' | 'endPoll'>;
  readonly lease: SessionLease;
  readonly clock: Clock;
}

export interface UnitLinkState {
  readonly connected: boolean;
  readonly error: TaskError | null;
}

const errorCodes: Readonly<Partial<Record<string, TaskError>>> = {
  modbus_exception: 'modbus_exception',
  modbus_unreachable: 'modbus_unreachable',
  modbus_bad_reply: 'modbus_bad_reply',
};

/**
 * Any other error means that no request was made in time, because the unit or the line was busy.
 */
const taskErrorOf = ({ code }: BusbarError): TaskError => errorCodes[code] ?? 'modbus_timeout';

/**
 * Returns whether a request failed because of other traffic on the line, which does not concern
 * the unit.
 */
const isOfOthers = (error: BusbarError): boolean =>
  error.code === 'capacity_exceeded' || reasonOf(error) === 'line_in_use';

class UnitPoll implements PeriodicReadOwner {
  readonly #poll: number;
  readonly #items: Uint16Array;
  readonly #link: PollReceiver;

  constructor({ poll, request }: PollOrder, link: PollReceiver) {
    this.#poll = poll;
    this.#items = new Uint16Array(request.count);
    this.#link = link;
  }

  answered(response: GoodResponse): void {
    readItems(response, this.#items);
    this.#link.polled(this.#poll, this.#items);
  }

  failed(error: BusbarError): void {
    this.#link.pollFailed(this.#poll, error);
  }

  missed(periods: number): void {
    this.#link.missed(periods);
  }
}

interface PollReceiver {
  polled(poll: number, items: Uint16Array): void;
  pollFailed(poll: number, error: BusbarError): void;
  missed(periods: number): void;
}

/**
 * Polls and writes the unit of one client endpoint, over a session shared with other endpoints and callers. Holds the
 * link open even if nothing is polled.
 *
 *     open? ─▶ start ─▶ stop (accepted groups complete) ─▶ release
 */
export class UnitLink {
  readonly #parts: UnitLinkParts;
  readonly #owner: UnitLinkOwner;
  readonly #groups = new Set<WriteGroup>();
  readonly #groupOwner: GroupOwner;
  readonly #use: LinkUse;
  readonly #receiver: PollReceiver;
  readonly #reads: PeriodicRead[] = [];
  /** Stopped polls that still have a request in flight. */
  readonly #answering: PeriodicRead[] = [];
  #isRunning = false;
  #isReleased = false;
  #isOpen = false;
  #isDown = false;
  #hasAnswered = false;
  #error: TaskError | null = null;
  #endUse: () => void = () => undefined;

  constructor(parts: UnitLinkParts, owner: UnitLinkOwner) {
    this.#parts = parts;
    this.#owner = owner;
    this.#use = {
      timeoutMs: parts.timeoutMs,
      opened: () => this.#opened(),
      lost: () => this.#lost(),
    };
    this.#receiver = {
      polled: (poll, items) => this.#polled(poll, items),
      pollFailed: (poll, error) => this.#pollFailed(poll, error),
      missed: (periods) => owner.pollMissed(periods),
    };
    this.#groupOwner = {
      groupStarted: ({ task }, atUs) => owner.groupStarted(task, Math.floor(atUs)),
      groupAnswered: () => this.#answered(),
      groupEnded: (group, error) => this.#ended(group, error),
    };
  }

  /**
   * Waits until a serial port is open. Fails with `modbus_unreachable` if it cannot be opened.
   * TCP connections are not awaited: an instance can start while its peer does not respond.
   */
  open(): Promise<void> {
    const { session } = this.#parts.lease;
    if (isTcp(session)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const { timeoutMs } = this.#parts;
      this.#endUse = session.connect({
        timeoutMs,
        opened: () => resolve(),
        lost: (error) => {
          // An earlier failure, during a retry delay, does not count: the port is tried again.
          if (error.details.retry_in_ms === undefined) reject(error);
        },
      });
    });
  }

  /** Holds the link open. Calls the owner only after this method has returned. */
  start(): void {
    const { session } = this.#parts.lease;
    this.#endUse();
    this.#endUse = session.connect(this.#use);
    this.#isRunning = true;
  }

  /** Adds a poll to a started link: immediately, then periodically from now on. */
  poll(order: PollOrder): void {
    if (!this.#isRunning) return;
    const { links, lease, unit, timeoutMs, tuning } = this.#parts;
    const { periodMs, request } = order;
    const settings: PeriodicReadSettings = { unit, timeoutMs, tuning, periodMs, request };
    this.#reads.push(links.poll(lease.session, settings, new UnitPoll(order, this.#receiver)));
  }

  /**
   * Writes a group in one exchange. Returns null if it was accepted; then `settled` reports its
   * outcome, unless the link is released first. Calls the owner only after this method has
   * returned.
   */
  submit(task: number, steps: readonly WriteStep[]): TaskError | null {
    if (!this.#isRunning || this.#isDown) return 'modbus_unreachable';
    const group = new WriteGroup(task, steps, this.#parts, this.#groupOwner);
    this.#groups.add(group);
    try {
      this.#parts.lease.session.submit(group);
      return null;
    } catch (thrown) {
      this.#groups.delete(group);
      const isFull = BusbarError.from(thrown).code === 'capacity_exceeded';
      return isFull ? 'queue_full' : 'modbus_unreachable';
    }
  }

  state(): UnitLinkState {
    const isPolled = this.#reads.length > 0;
    const isAnswering = isPolled ? this.#hasAnswered : this.#isOpen;
    return { connected: this.#error === null && isAnswering, error: this.#error };
  }

  /** Stops polling. Accepted groups continue until they are settled. */
  stop(): void {
    for (const _ of this.stopping());
  }

  /**
   * Stops polling and yields after each poll. Queued polls stop first, so that none of them starts.
   */
  *stopping(): Generator<void> {
    this.#isRunning = false;
    const { links } = this.#parts;
    for (let read = this.#reads.pop(); read; read = this.#reads.pop()) {
      read.stop();
      if (read.isOutstanding) this.#answering.push(read);
      else links.endPoll(read);
      yield;
    }
  }

  /** Releases the session. Its queued requests are removed, so nothing is written later. */
  release(): void {
    if (this.#isReleased) return;
    this.stop();
    for (const group of this.#groups) group.reportStart();
    this.#isReleased = true;
    const { links, lease } = this.#parts;
    this.#endUse();
    for (const group of this.#groups) lease.session.cancel(group);
    for (const read of this.#answering) links.endPoll(read);
    this.#groups.clear();
    lease.release();
  }

  #polled(poll: number, items: Uint16Array): void {
    this.#answered();
    this.#owner.polled(poll, items, this.#nowUs());
  }

  #pollFailed(poll: number, error: BusbarError): void {
    if (error.code === 'capacity_exceeded') this.#owner.pollMissed(1);
    else if (error.code !== 'modbus_exception') this.#failed(error);
    else {
      this.#answered();
      this.#owner.pollRefused(poll, this.#nowUs());
    }
  }

  #ended(group: WriteGroup, error: BusbarError | null): void {
    if (this.#isReleased) return;
    this.#groups.delete(group);
    if (error?.code === 'modbus_exception') this.#answered();
    else if (error !== null) this.#failed(error);
    this.#owner.settled(group.task, error && taskErrorOf(error), this.#nowUs());
  }

  #answered(): void {
    this.#hasAnswered = true;
    this.#error = null;
  }

  #failed(error: BusbarError): void {
    if (isOfOthers(error)) return;
    this.#hasAnswered = false;
    this.#error = taskErrorOf(error);
  }

  #opened(): void {
    this.#isOpen = true;
    this.#isDown = false;
    // The next response shows whether a polled unit is reachable again.
    if (this.#reads.length === 0 && this.#error === 'modbus_unreachable') this.#error = null;
    this.#owner.linkOpened();
  }

  #lost(): void {
    if (this.#isDown) return;
    this.#isOpen = false;
    this.#isDown = true;
    this.#hasAnswered = false;
    this.#error = 'modbus_unreachable';
    this.#owner.linkLost('modbus_unreachable');
  }

  #nowUs(): number {
    return Math.floor(this.#parts.clock.monotonicUs());
  }
}
