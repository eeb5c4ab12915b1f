import {
  faultEventBytes,
  faultEventDataTable,
  faultEventTable,
  instanceStateTable,
  keptFaultEvents,
} from '../image/image-tables.ts';
import type { FaultEffect } from '../image/image-values.ts';
import { faultEffects } from '../image/image-values.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { RoundTime } from './signal-states.ts';

export type ChannelOfTask = (task: number) => number | null;

export class FaultLog {
  readonly #events: ReturnType<typeof faultEventTable.open>;
  readonly #bytes: Uint8Array;
  readonly #instance: ReturnType<typeof instanceStateTable.open>;
  readonly #unixOffsetUs: number;
  readonly #time: RoundTime;
  readonly #channelOf: ChannelOfTask;

  constructor(
    { state }: ProjectImage,
    unixOffsetUs: number,
    time: RoundTime,
    channelOf: ChannelOfTask,
  ) {
    this.#events = faultEventTable.open(state.faultEvents);
    this.#bytes = faultEventDataTable.open(state.faultEventData).byte;
    this.#instance = instanceStateTable.open(state.instance);
    this.#unixOffsetUs = unixOffsetUs;
    this.#time = time;
    this.#channelOf = channelOf;
  }

  get newest(): number {
    return this.#instance.newestFaultEvent[0] as number;
  }

  add(task: number, rule: number, effect: FaultEffect, frame: Uint8Array | null): void {
    const events = this.#events;
    const sequence = this.newest + 1;
    const row = sequence % keptFaultEvents;
    this.#instance.newestFaultEvent[0] = sequence;
    events.rule[row] = rule;
    events.task[row] = task;
    events.effect[row] = faultEffects.indexOf(effect);
    events.channel[row] = (this.#channelOf(task) ?? -1) + 1;
    events.length[row] = frame === null ? 0 : frame.length + 1;
    events.firedUs[row] = Math.floor(this.#time.nowUs) + this.#unixOffsetUs;
    events.eventId[row] = 0;
    if (frame !== null) this.#bytes.set(frame, row * faultEventBytes);
    this.#changed(row);
  }

  complete(first: number, count: number, eventId: number): void {
    const oldest = this.newest - keptFaultEvents + 1;
    for (let sequence = Math.max(first, oldest); sequence < first + count; sequence++) {
      const row = sequence % keptFaultEvents;
      this.#events.eventId[row] = eventId;
      this.#changed(row);
    }
  }

  #changed(row: number): void {
    const { faultEventChanges } = this.#instance;
    const change = (faultEventChanges[0] as number) + 1;
    faultEventChanges[0] = change;
    this.#events.change[row] = change;
  }
}
