import { StringPool } from '../memory/string-pool.ts';
import type { FaultRuleRow } from '../project/tables/fault-rules.ts';
import type { GatewayFaultEvent } from './fault-record.ts';
import { StateReader } from './image-state.ts';
import {
  faultEventBytes,
  faultEventDataTable,
  faultEventTable,
  faultTable,
  instanceStateTable,
  keptFaultEvents,
  messageTable,
  taskTable,
} from './image-tables.ts';
import { faultEffects } from './image-values.ts';
import type { ProjectImage } from './project-image.ts';

export type SelectorOfSlot = (slot: number) => string;

export class FaultEvents {
  readonly #state: StateReader;
  readonly #strings: StringPool;
  readonly #rules: Uint32Array;
  readonly #messageOfTask: Uint32Array;
  readonly #messages: ReturnType<typeof messageTable.open>;
  readonly #selectorOf: SelectorOfSlot;
  readonly #shared;
  readonly #copied;

  constructor(image: ProjectImage, selectorOf: SelectorOfSlot) {
    const { state, strings } = image;
    this.#state = new StateReader({ state });
    this.#strings = new StringPool(strings);
    this.#rules = faultTable.open(image.faults).rule;
    this.#messageOfTask = taskTable.open(image.tasks).message;
    this.#messages = messageTable.open(image.messages);
    this.#selectorOf = selectorOf;
    const events = faultEventTable.open(state.faultEvents);
    const data = faultEventDataTable.open(state.faultEventData);
    this.#shared = { events, data, instance: instanceStateTable.open(state.instance) };
    this.#copied = {
      events: faultEventTable.create(events.count).columns,
      data: faultEventDataTable.create(data.count).columns,
      instance: instanceStateTable.create(1).columns,
    };
  }

  refresh(): this {
    const { events, data, instance } = this.#shared;
    const copied = this.#copied;
    if (instance.faultEventChanges[0] === this.changes) return this;
    this.#state.read(() => {
      faultEventTable.copyRows(events, 0, copied.events, 0, events.count);
      faultEventDataTable.copyRows(data, 0, copied.data, 0, data.count);
      instanceStateTable.copyRows(instance, 0, copied.instance, 0, 1);
    });
    return this;
  }

  /** Number of additions and completions. */
  get changes(): number {
    return this.#copied.instance.faultEventChanges[0] as number;
  }

  get newest(): number {
    return this.#copied.instance.newestFaultEvent[0] as number;
  }

  /** Oldest sequence in the list; newest + 1 if the list is empty. */
  get oldest(): number {
    return Math.max(1, this.newest - keptFaultEvents + 1);
  }

  /** Number of the last change of an event. */
  changeOf(sequence: number): number {
    return this.#copied.events.change[sequence % keptFaultEvents] as number;
  }

  event(sequence: number): GatewayFaultEvent {
    const { events, data } = this.#copied;
    const row = sequence % keptFaultEvents;
    const message = (this.#messageOfTask[events.task[row] as number] as number) - 1;
    const length = (events.length[row] as number) - 1;
    const slot = (events.channel[row] as number) - 1;
    const rule = this.#rule(events.rule[row] as number);
    const first = row * faultEventBytes;
    const bytes = data.byte.subarray(first, first + length);
    return {
      sequence,
      timestamp_us: events.firedUs[row] as number,
      rule: rule.id,
      kind: rule.kind,
      effect: faultEffects[events.effect[row] as number] ?? 'conflict',
      task: rule.task,
      event_id: (events.eventId[row] as number) || null,
      channel: slot < 0 ? null : slot,
      selector: slot < 0 ? null : this.#selectorOf(slot) || null,
      id: this.#messages.canId[message] ?? 0,
      extended: this.#messages.extended[message] === 1,
      fd: this.#messages.fd[message] === 1,
      brs: this.#messages.brs[message] === 1,
      data: length < 0 ? null : Buffer.from(bytes).toString('hex').toUpperCase(),
    };
  }

  #rule(index: number): FaultRuleRow {
    return JSON.parse(this.#strings.at(this.#rules[index] ?? 0) ?? '{}');
  }
}
