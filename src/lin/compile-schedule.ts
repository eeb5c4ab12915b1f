import { BusbarError } from '../base/errors/busbar-error.ts';
import type { LinCommand, LinNetwork, LinScheduleEntry } from '../database/lin-model.ts';
import type { Message } from '../database/model.ts';
import { maxLinId } from '../frame/frame.ts';
import { linMasterRequestId, linSlaveResponseId, maxLinLength } from '../frame/lin.ts';
import { commandData } from './node-commands.ts';
import {
  maxScheduleSlots,
  minSlotUs,
  type PublishedFrame,
  type ReadFrame,
  type SchedulePlan,
  type SlotAction,
  type SlotPlan,
  type TableFault,
  type TablePlan,
} from './schedule-plan.ts';

export interface ScheduledNetwork {
  readonly lin: Pick<LinNetwork, 'master' | 'slaves' | 'sporadicFrames' | 'scheduleTables'>;
  readonly messages: readonly Message[];
  /** Payload of a message whose signals have their initial values. */
  readonly dataOf: (message: Message) => Uint8Array;
}

const readOf = ({ id, length, lin }: Message): ReadFrame => ({
  id,
  length,
  enhanced: lin?.checksum === 'enhanced',
});

const diagnosticRead: ReadFrame = {
  id: linSlaveResponseId,
  length: maxLinLength,
  enhanced: false,
};

const slotUs = ({ delayMs }: LinScheduleEntry): number => Math.round(Number(delayMs) * 1000);

class PlanBuilder {
  readonly #network: ScheduledNetwork;
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #frames: PublishedFrame[] = [];
  readonly #frameOf = new Map<string, number>();
  readonly #tableOf: ReadonlyMap<string, number>;
  readonly #polls: TablePlan[] = [];
  readonly #pollOf = new Map<string, number>();

  constructor(network: ScheduledNetwork) {
    this.#network = network;
    const { lin, messages, dataOf } = network;
    this.#messages = new Map(messages.map((message) => [message.name, message]));
    this.#tableOf = new Map(lin.scheduleTables.map(({ name }, index) => [name, index]));
    for (const message of messages) {
      if (!this.#isPublished(message) || frameFault(message) !== null) continue;
      const { name, id } = message;
      this.#frameOf.set(name, this.#frames.length);
      const enhanced = readOf(message).enhanced;
      this.#frames.push({ message: name, id, enhanced, data: dataOf(message) });
    }
  }

  build(): SchedulePlan {
    const tables = this.#network.lin.scheduleTables.map(({ name, entries }): TablePlan => {
      const slots: SlotPlan[] = [];
      let fault: TableFault | null = null;
      for (const entry of entries) {
        const lengthUs = slotUs(entry);
        const action = this.#action(entry.command, lengthUs);
        fault ??= isFault(action) ? action : slotFault(entry, lengthUs);
        if (!isFault(action)) slots.push({ action, lengthUs });
      }
      if (entries.length === 0) fault = { reason: 'no_slots', message: 'it has no slots' };
      return { name, isNamed: true, slots, fault };
    });
    return { frames: this.#frames, tables: [...tables, ...this.#polls] };
  }

  #isPublished({ lin }: Message): boolean {
    const { master } = this.#network.lin;
    return lin !== undefined && lin.publisher !== null && lin.publisher === master;
  }

  #action(command: LinCommand, lengthUs: number): SlotAction | TableFault {
    switch (command.kind) {
      case 'frame':
        return this.#frameAction(command.frame, lengthUs);
      case 'sporadic': {
        const sporadic = this.#network.lin.sporadicFrames.find(
          ({ name }) => name === command.frame,
        );
        const frames = (sporadic?.frames ?? []).flatMap((name) => this.#frameOf.get(name) ?? []);
        return { kind: 'changed', frames };
      }
      case 'master_request':
        return {
          kind: 'request',
          frames: this.#frames.flatMap(({ id }, index) => (id === linMasterRequestId ? index : [])),
        };
      case 'slave_response':
        return { kind: 'read', ...diagnosticRead };
      default: {
        const { slaves } = this.#network.lin;
        const idOf = (frame: string) => this.#messages.get(frame)?.id;
        const data = commandData(command, { slaves, idOf });
        if (typeof data !== 'string') return { kind: 'command', data };
        const node = 'node' in command ? command.node : '';
        const what = data === 'node_without_address' ? 'address' : 'message identifier';
        return { reason: data, message: `${node} has no ${what} for ${command.kind}` };
      }
    }
  }

  #frameAction(name: string, lengthUs: number): SlotAction | TableFault {
    const message = this.#messages.get(name);
    // The reader drops entries without a frame.
    if (message === undefined) return { kind: 'changed', frames: [] };
    const fault = frameFault(message);
    if (fault !== null) return fault;
    const frame = this.#frameOf.get(name);
    if (frame !== undefined) {
      const isRequest = message.id === linMasterRequestId;
      return isRequest ? { kind: 'request', frames: [frame] } : { kind: 'publish', frame };
    }
    const read = readOf(message);
    if (message.lin?.kind !== 'event_triggered') return { kind: 'read', ...read };
    return { kind: 'event', ...read, collisionTable: this.#collisionTable(message, lengthUs) };
  }

  /** LIN 2.0 files name no table: the master polls the frames itself. */
  #collisionTable({ name, lin }: Message, lengthUs: number): number {
    const named = lin?.collisionTable == null ? undefined : this.#tableOf.get(lin.collisionTable);
    const known = named ?? this.#pollOf.get(name);
    if (known !== undefined) return known;
    const slots = (lin?.frames ?? []).flatMap((frame): SlotPlan[] => {
      const message = this.#messages.get(frame);
      if (message === undefined) return [];
      return [{ action: { kind: 'read', ...readOf(message) }, lengthUs }];
    });
    const index = this.#network.lin.scheduleTables.length + this.#polls.length;
    this.#polls.push({ name, isNamed: false, slots, fault: null });
    this.#pollOf.set(name, index);
    return index;
  }
}

const isFault = (action: SlotAction | TableFault): action is TableFault => 'reason' in action;

const frameFault = ({ name, id, length }: Message): TableFault | null => {
  if (id > maxLinId) {
    return { reason: 'identifier_out_of_range', message: `${name} has the identifier ${id}` };
  }
  if (length >= 1 && length <= maxLinLength) return null;
  return { reason: 'frame_length', message: `${name} has ${length} bytes` };
};

const slotFault = ({ delayMs }: LinScheduleEntry, lengthUs: number): TableFault | null =>
  lengthUs >= minSlotUs
    ? null
    : { reason: 'slot_too_short', message: `a slot has ${delayMs} ms, at least 0.1 are needed` };

/** Compiles all tables. A table that cannot run has a fault, and the others still work. */
export const compileSchedule = (network: ScheduledNetwork): SchedulePlan => {
  const slots = network.lin.scheduleTables.reduce((sum, { entries }) => sum + entries.length, 0);
  if (slots > maxScheduleSlots) {
    throw new BusbarError('capacity_exceeded', {
      message: `The schedule tables have ${slots} entries together, at most ${maxScheduleSlots} can run`,
      details: { field: 'table', limit: maxScheduleSlots },
    });
  }
  return new PlanBuilder(network).build();
};

/** Fault of a table, or of one that resolves its collisions. */
export const faultOf = (plan: SchedulePlan, table: number): TableFault | null => {
  const seen = new Set<number>();
  const check = (index: number): TableFault | null => {
    if (seen.has(index)) return null;
    seen.add(index);
    const found = plan.tables[index];
    if (!found || found.fault) return found?.fault ?? null;
    for (const { action } of found.slots) {
      const fault = action.kind === 'event' ? check(action.collisionTable) : null;
      if (fault) return fault;
    }
    return null;
  };
  return check(table);
};
