import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/testing/seeded-random.ts';
import { ScheduleMachine } from './schedule-machine.ts';
import type { SchedulePlan, SlotAction, SlotPlan } from './schedule-plan.ts';

interface Random {
  below(limit: number): number;
}

const randomOf = (seed: number): Random => {
  const next = seededRandom(seed);
  return { below: (limit) => Math.floor(next() * limit) };
};

/** The rules of LIN schedules again, as a stack of places. Each run lists what was on the bus. */
class Model {
  readonly log: string[] = [];
  readonly set = new Set<number>();
  dueUs: number;
  missed = 0;
  #stack: { table: number; at: number }[];
  #switchTo: number | undefined;
  #collision: number | undefined;
  #mayCollide: number | undefined;
  readonly #plan: SchedulePlan;

  constructor(plan: SchedulePlan, table: number, startUs: number) {
    this.#plan = plan;
    this.#stack = [{ table, at: 0 }];
    this.dueUs = startUs;
  }

  switchTo(table: number): void {
    this.#switchTo = table;
  }

  collide(): void {
    this.#collision = this.#mayCollide ?? this.#collision;
    this.#mayCollide = undefined;
  }

  run(nowUs: number): void {
    const { action } = this.#take();
    this.#mayCollide = action.kind === 'event' ? action.collisionTable : undefined;
    if (action.kind === 'publish') {
      this.#log(action.frame);
      this.set.delete(action.frame);
    } else if (action.kind === 'changed' || action.kind === 'request') {
      const first = action.frames.find((frame) => this.set.has(frame));
      if (first !== undefined) {
        this.#log(first);
        this.set.delete(first);
      }
    } else if (action.kind !== 'command') this.log.push(`read ${action.id}`);
    while (this.dueUs <= nowUs) {
      this.#take();
      this.missed += 1;
    }
  }

  #log(frame: number): void {
    this.log.push(`write ${this.#plan.frames[frame]?.id}`);
  }

  #take(): SlotPlan {
    if (this.#switchTo !== undefined) {
      this.#stack = [{ table: this.#switchTo, at: 0 }];
    } else if (this.#collision !== undefined && this.#slots(this.#collision).length > 0) {
      this.#stack = [this.#stack[0] as { table: number; at: number }];
      this.#stack.push({ table: this.#collision, at: 0 });
    }
    this.#switchTo = undefined;
    this.#collision = undefined;
    for (;;) {
      const top = this.#stack.at(-1) as { table: number; at: number };
      const slot = this.#slots(top.table)[top.at];
      if (slot) {
        top.at += 1;
        this.dueUs += slot.lengthUs;
        return slot;
      }
      if (this.#stack.length > 1) this.#stack.pop();
      else top.at = 0;
    }
  }

  #slots(table: number): readonly SlotPlan[] {
    return this.#plan.tables[table]?.slots ?? [];
  }
}

const frameCount = 6;
const namedTables = 3;
const collisionTables = 2;

const arbitraryAction = (random: Random): SlotAction => {
  const frame = () => random.below(frameCount);
  const read = { id: 32 + random.below(8), enhanced: true, length: 2 };
  switch (random.below(6)) {
    case 0:
      return { kind: 'publish', frame: frame() };
    case 1:
      return { kind: 'changed', frames: [frame(), frame(), frame()] };
    case 2:
      return { kind: 'read', ...read };
    case 3:
      return { kind: 'command', data: new Uint8Array(8) };
    case 4:
      return { kind: 'request', frames: [frame()] };
    default:
      return {
        kind: 'event',
        ...read,
        collisionTable: namedTables + random.below(collisionTables + 1),
      };
  }
};

const arbitraryPlan = (random: Random): SchedulePlan => ({
  frames: Array.from({ length: frameCount }, (_, id) => ({
    message: `F${id}`,
    id,
    enhanced: true,
    data: new Uint8Array(1),
  })),
  tables: Array.from({ length: namedTables + collisionTables + 1 }, (_, table) => ({
    name: `T${table}`,
    isNamed: table < namedTables,
    fault: null,
    // The last table is empty, as for an event-triggered frame without frames.
    slots: Array.from(
      { length: table === namedTables + collisionTables ? 0 : 1 + random.below(5) },
      () => ({ action: arbitraryAction(random), lengthUs: 100 * (1 + random.below(100)) }),
    ),
  })),
});

/** What the run of a real schedule does with the machine. */
const runMachine = (machine: ScheduleMachine, plan: SchedulePlan, log: string[], nowUs: number) => {
  const action = machine.begin(nowUs);
  const publish = (frame: number) => {
    log.push(`write ${plan.frames[frame]?.id}`);
    machine.sent(frame);
  };
  if (action.kind === 'publish') publish(action.frame);
  else if (action.kind === 'changed' || action.kind === 'request') {
    const frame = machine.firstChanged(action.frames);
    if (frame >= 0) publish(frame);
  } else if (action.kind !== 'command') log.push(`read ${action.id}`);
};

const compare = (seed: number, steps: number): void => {
  const random = randomOf(seed);
  const plan = arbitraryPlan(random);
  const machine = new ScheduleMachine(plan, 0, 1000);
  const model = new Model(plan, 0, 1000);
  const log: string[] = [];
  for (let step = 0; step < steps; step++) {
    const dice = random.below(10);
    if (dice === 0) {
      const table = random.below(namedTables);
      machine.switchTo(table);
      model.switchTo(table);
    } else if (dice <= 2) {
      const frame = random.below(frameCount);
      machine.change(frame);
      model.set.add(frame);
    } else if (dice <= 4) {
      machine.collide();
      model.collide();
    } else {
      // Mostly on time; sometimes late by slots or by whole tables.
      const lateUs = random.below(4) === 0 ? random.below(200_000) : random.below(90);
      const nowUs = machine.dueUs + lateUs;
      runMachine(machine, plan, log, nowUs);
      model.run(nowUs);
    }
    const state = { log, dueUs: machine.dueUs, missed: machine.missed };
    const expected = { log: model.log, dueUs: model.dueUs, missed: model.missed };
    if (
      log.at(-1) !== model.log.at(-1) ||
      state.dueUs !== expected.dueUs ||
      state.missed !== expected.missed
    ) {
      expect(state, `seed ${seed}, step ${step}`).toEqual(expected);
    }
  }
  expect(log, `seed ${seed}`).toEqual(model.log);
};

describe('the machine of LIN schedules', () => {
  it('sends what a model of the rules sends, at the same times', () => {
    for (let seed = 1; seed <= 300; seed++) compare(seed, 300);
  });
});
