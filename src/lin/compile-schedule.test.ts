import { describe, expect, it } from 'vitest';
import { network, readText } from '../database/ldf/testing/read-text.ts';
import { compileSchedule, faultOf } from './compile-schedule.ts';
import type { SlotAction } from './schedule-plan.ts';

const attributes = `Node_attributes {
  A { LIN_protocol = "2.0"; configured_NAD = 0x21; initial_NAD = 1; product_id = 0x4A4F, 0x4841, 0;
      configurable_frames { Answer = 0x1234; Spare; } }
  B { LIN_protocol = "2.1"; }
}`;

const frames = `Frames {
  Command: 1, M, 2 { Speed, 0; Lamp, 8; }
  Answer: 2, A, 2 { State, 8; }
  Spare: 6, A, 2 { State, 8; }
}
Sporadic_frames { Now: Command, Answer; }
Event_triggered_frames { Any: 7, Answer, Spare; }`;

const compiled = (tables: string) => {
  const text = network({ attributes, frames, schedules: `Schedule_tables { ${tables} }` });
  const { database } = readText(text);
  const { lin, messages } = database;
  return compileSchedule({ lin, messages, dataOf: ({ length }) => new Uint8Array(length) });
};

const actionOf = (entry: string): SlotAction | undefined =>
  compiled(`T { ${entry} delay 10 ms; }`).tables[0]?.slots[0]?.action;

const bytesOf = (entry: string): string | undefined => {
  const action = actionOf(entry);
  return action?.kind === 'command' ? Buffer.from(action.data).toString('hex') : undefined;
};

describe('commands of a schedule table', () => {
  // LIN 2.1 section 4.2.5; AssignNAD, ConditionalChangeNAD and SaveConfiguration as ldfparser has them.
  it.each([
    ['AssignNAD { A }', '0106b04f4a414821'],
    ['ConditionalChangeNAD { 0x17, 0, 0x20, 0xFF, 0, 0x18 }', '1706b30020ff0018'],
    ['DataDump { A, 1, 2, 3, 4, 5 }', '2106b40102030405'],
    ['SaveConfiguration { A }', '2101b6ffffffffff'],
    ['AssignFrameIdRange { A, 0 }', '2106b7004206ffff'],
    ['AssignFrameIdRange { A, 1 }', '2106b70106ffffff'],
    ['AssignFrameIdRange { A, 0, 0xC1, 0, 0xFF, 0xFF }', '2106b700c100ffff'],
    ['AssignFrameId { A, Answer }', '2106b14f4a341242'],
    ['UnassignFrameId { A, Answer }', '2106b14f4a341240'],
    ['FreeFormat { 1, 2, 3, 4, 5, 6, 7, 8 }', '0102030405060708'],
  ])('%s is the request %s', (entry, bytes) => {
    expect(bytesOf(entry)).toBe(bytes);
  });
});

describe('frames of a schedule table', () => {
  it('are published by the master or read from slaves', () => {
    expect(actionOf('Command')).toEqual({ kind: 'publish', frame: 0 });
    expect(actionOf('Answer')).toEqual({ kind: 'read', id: 2, length: 2, enhanced: true });
    expect(actionOf('SlaveResp')).toMatchObject({ kind: 'read', id: 61, length: 8 });
  });

  it('are sent when they changed: sporadic frames of the master, and its request', () => {
    expect(actionOf('Now')).toEqual({ kind: 'changed', frames: [0] });
    expect(actionOf('MasterReq')).toEqual({ kind: 'request', frames: [1] });
  });

  it('that several slaves send are polled after a collision if the file names no table', () => {
    const plan = compiled('T { Any delay 15 ms; }');
    expect(plan.tables[0]?.slots[0]?.action).toMatchObject({ kind: 'event', collisionTable: 1 });
    expect(plan.tables[1]).toMatchObject({
      name: 'Any',
      isNamed: false,
      slots: [
        { action: { kind: 'read', id: 2 }, lengthUs: 15_000 },
        { action: { kind: 'read', id: 6 }, lengthUs: 15_000 },
      ],
    });
  });
});

describe('a table that cannot run', () => {
  it.each([
    ['no_slots', ''],
    ['slot_too_short', 'Command delay 0 ms;'],
    ['node_without_address', 'SaveConfiguration { B } delay 10 ms;'],
    ['no_message_identifier', 'AssignFrameId { A, Spare } delay 10 ms;'],
  ])('has the fault %s, and the others have none', (reason, entries) => {
    const plan = compiled(`T { ${entries} } Other { Command delay 10 ms; }`);
    expect(faultOf(plan, 0)).toMatchObject({ reason });
    expect(faultOf(plan, 1)).toBeNull();
  });

  it('is also one whose collision table cannot run', () => {
    const { database } = readText(
      network({
        attributes,
        frames: frames.replace('Any: 7', 'Any: Broken, 7'),
        schedules: 'Schedule_tables { T { Any delay 10 ms; } Broken { Answer delay 0 ms; } }',
      }),
    );
    const { lin, messages } = database;
    const plan = compileSchedule({ lin, messages, dataOf: () => new Uint8Array(2) });
    expect(faultOf(plan, 0)).toMatchObject({ reason: 'slot_too_short' });
  });

  it('is refused with all others if there are too many slots for the bench thread', () => {
    expect(() => compiled(`T { ${'Command delay 10 ms; '.repeat(4097)} }`)).toThrow(/4096/);
  });
});
