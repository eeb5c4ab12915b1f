import { describe, expect, it } from 'vitest';
import { ScheduleMachine } from './schedule-machine.ts';
import type { SchedulePlan, SlotAction } from './schedule-plan.ts';

const frame = (id: number) => ({ message: `F${id}`, id, enhanced: true, data: new Uint8Array(2) });
const publish = (index: number): SlotAction => ({ kind: 'publish', frame: index });
const read = { id: 40, enhanced: true, length: 2 };

/** Normal: A 10 ms, event 15 ms, B 10 ms; Other: B 5 ms; Resolve: C 10 ms, C 10 ms. */
const plan: SchedulePlan = {
  frames: [frame(1), frame(2), frame(3)],
  tables: [
    {
      name: 'Normal',
      isNamed: true,
      fault: null,
      slots: [
        { action: publish(0), lengthUs: 10_000 },
        { action: { kind: 'event', ...read, collisionTable: 2 }, lengthUs: 15_000 },
        { action: publish(1), lengthUs: 10_000 },
      ],
    },
    {
      name: 'Other',
      isNamed: true,
      fault: null,
      slots: [{ action: publish(1), lengthUs: 5000 }],
    },
    {
      name: 'Resolve',
      isNamed: true,
      fault: null,
      slots: [
        { action: publish(2), lengthUs: 10_000 },
        { action: publish(2), lengthUs: 10_000 },
      ],
    },
  ],
};

const textOf = (action: SlotAction): string =>
  action.kind === 'publish' ? `frame ${action.frame}` : action.kind;

/** Begins each slot on time. */
const next = (machine: ScheduleMachine): string => textOf(machine.begin(machine.dueUs));

describe('a schedule', () => {
  it('repeats its table on a grid of slots', () => {
    const machine = new ScheduleMachine(plan, 0, 500);
    const begun = Array.from({ length: 7 }, () => `${machine.dueUs} ${next(machine)}`);
    expect(begun).toEqual([
      '500 frame 0',
      '10500 event',
      '25500 frame 1',
      '35500 frame 0',
      '45500 event',
      '60500 frame 1',
      '70500 frame 0',
    ]);
    expect(machine.cycles).toBe(2);
  });

  it('begins a late slot once, stays on the grid, and counts the slots that passed', () => {
    const machine = new ScheduleMachine(plan, 0, 0);
    expect(textOf(machine.begin(26_000))).toBe('frame 0');
    expect(machine).toMatchObject({ missed: 2, dueUs: 35_000 });
    expect(next(machine)).toBe('frame 0');
  });

  it('skips whole tables at once after a long stop', () => {
    const machine = new ScheduleMachine(plan, 0, 0);
    machine.begin(0);
    const yearUs = 365 * 24 * 3600 * 1e6;
    machine.begin(yearUs);
    expect(machine.dueUs).toBeGreaterThan(yearUs);
    expect(machine.dueUs - yearUs).toBeLessThanOrEqual(15_000);
    expect(machine.missed).toBeGreaterThan(3 * Math.floor(yearUs / 35_000) - 3);
  });

  it('switches at the next slot, to the first entry', () => {
    const machine = new ScheduleMachine(plan, 0, 0);
    next(machine);
    machine.switchTo(1);
    expect(machine).toMatchObject({ table: 0, nextTable: 1, dueUs: 10_000 });
    expect(next(machine)).toBe('frame 1');
    expect(machine).toMatchObject({ table: 1, nextTable: null, dueUs: 15_000 });
  });

  it('runs the collision table once and continues after the event-triggered frame', () => {
    const machine = new ScheduleMachine(plan, 0, 0);
    next(machine);
    next(machine);
    machine.collide();
    expect(next(machine)).toBe('frame 2');
    expect(machine).toMatchObject({ table: 0, collisionTable: 2, collisions: 1 });
    expect(next(machine)).toBe('frame 2');
    expect(next(machine)).toBe('frame 1');
    expect(machine).toMatchObject({ collisionTable: null, cycles: 0 });
  });

  it('counts a collision once, and none without an event-triggered frame', () => {
    const machine = new ScheduleMachine(plan, 0, 0);
    next(machine);
    machine.collide();
    expect(next(machine)).toBe('event');
    machine.collide();
    machine.collide();
    expect(machine.collisions).toBe(1);
  });

  it('leaves the collision table for a switch and does not return', () => {
    const machine = new ScheduleMachine(plan, 0, 0);
    next(machine);
    next(machine);
    machine.collide();
    next(machine);
    machine.switchTo(1);
    expect([next(machine), next(machine)]).toEqual(['frame 1', 'frame 1']);
    expect(machine).toMatchObject({ table: 1, collisionTable: null });
  });

  it('finds the first changed frame in order of priority', () => {
    const machine = new ScheduleMachine(plan, 0, 0);
    expect(machine.firstChanged([2, 1, 0])).toBe(-1);
    machine.change(0);
    machine.change(1);
    expect(machine.firstChanged([2, 1, 0])).toBe(1);
    machine.sent(1);
    expect(machine.firstChanged([2, 1, 0])).toBe(0);
  });
});
