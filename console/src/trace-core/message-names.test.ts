import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pgnOf } from '../../../src/database/j1939.ts';
import { MessageIndex } from '../../../src/database/message-index.ts';
import type { Message } from '../../../src/database/model.ts';
import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { IdentifierIndex, MessageNames } from './message-names.ts';

// Only a few priorities, groups and addresses, so that messages often match.
const identifier = fc
  .record({
    priority: fc.constantFrom(3, 6),
    group: fc.constantFrom(0xfe_f100, 0xfe_f200, 0xea_0000, 0xea_2100),
    source: fc.constantFrom(0x00, 0x07, 0xfe),
  })
  .map(({ priority, group, source }) => priority * 2 ** 26 + group + source);

const message = fc.record({
  id: fc.oneof(identifier, fc.constantFrom(0x100, 0x101)),
  extended: fc.boolean(),
  isGroup: fc.boolean(),
});

it('finds the message of a frame that the service finds', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 8 }),
      identifier,
      fc.boolean(),
      (drawn, id, wide) => {
        const known = drawn.map(({ isGroup, ...each }, number) => ({
          ...each,
          name: `m${number}`,
          pgn: isGroup && each.extended ? pgnOf(each.id) : null,
        }));
        const messages = known.map(({ pgn, ...each }) => ({
          ...(each as Pick<Message, 'id' | 'extended' | 'name'> as Message),
          ...(pgn !== null && { pgn }),
        }));
        const service = new MessageIndex({ messages });
        const expected = service.find(id, wide);
        const index = new IdentifierIndex<string>();
        index.add(known, ({ name }) => name);
        expect(index.find(id, wide ? frameFlag.extended : 0)).toBe(expected?.name);
      },
    ),
    { numRuns: 2000 },
  );
});

const named = (name: string) => ({ database: 'car', name });

const names = new MessageNames({
  messages: [
    { database: 'car', name: 'EngineData', id: 0x100, extended: false, pgn: null },
    { database: 'truck', name: 'Retarder', id: 0x100, extended: false, pgn: null },
    { database: 'truck', name: 'Axle', id: 0x100, extended: true, pgn: null },
    { database: 'truck', name: 'Speed', id: 0x18fe_f1fe, extended: true, pgn: 0xfef1 },
    { database: 'truck', name: 'SpeedOfGearbox', id: 0x0cfe_f103, extended: true, pgn: 0xfef1 },
    { database: 'truck', name: 'Plain', id: 0x18fe_f107, extended: true, pgn: null },
    { database: 'bus', name: 'Door', id: 0x18fe_f109, extended: true, pgn: null },
    { database: 'truck', name: 'Request', id: 0x18ea_00fe, extended: true, pgn: 0xea00 },
  ],
  plans: [
    { slot: 1, fromUs: 500, id: 0x100, extended: false, pgn: null, ...named('Retarder') },
    { slot: 2, fromUs: 500, id: 0x21, extended: false, pgn: null, ...named('Window') },
    { slot: 3, fromUs: 500, id: 0x18fe_f1fe, extended: true, pgn: 0xfef1, ...named('Planned') },
  ],
});

const can = (slot: number, us: number, id: number, flags = 0) =>
  names.nameOf(slot, us, busCode.can, id, flags);

describe('the name of a frame', () => {
  it('comes from the first database that has its identifier', () => {
    expect(can(0, 600, 0x100)).toBe('EngineData');
    expect(can(0, 600, 0x100, frameFlag.extended)).toBe('Axle');
    expect(can(0, 600, 0x101)).toBeNull();
  });

  it('comes from the plan on its channel rather', () => {
    expect(can(1, 500, 0x100)).toBe('Retarder');
  });

  it('does not come from a plan on a channel that got the slot later', () => {
    expect(can(1, 499, 0x100)).toBe('EngineData');
  });

  it('comes from nothing but a plan on a LIN bus', () => {
    const lin = (slot: number, us: number, id: number) =>
      names.nameOf(slot, us, busCode.lin, id, 0);
    expect([lin(2, 600, 0x21), lin(2, 499, 0x21), lin(0, 600, 0x100)]).toEqual([
      'Window',
      null,
      null,
    ]);
  });

  it('is that of a J1939 parameter group, whatever priority and addresses the frame has', () => {
    const wide = (id: number, slot = 0) => can(slot, 600, id, frameFlag.extended);
    expect(wide(0x0cfe_f100)).toBe('Speed');
    expect(wide(0x18fe_f103)).toBe('SpeedOfGearbox');
    expect(wide(0x18ea_ff21)).toBe('Request');
    expect([wide(0x18fe_f200), wide(0x19fe_f100), can(0, 600, 0xfe)]).toEqual([null, null, null]);
    expect([wide(0x0cfe_f100, 3), wide(0x18fe_f103, 3)]).toEqual(['Planned', 'SpeedOfGearbox']);
  });

  it('is that of a message without a group only by its exact identifier', () => {
    const wide = (id: number) => can(0, 600, id, frameFlag.extended);
    expect([wide(0x18fe_f107), wide(0x0cfe_f107)]).toEqual(['Plain', 'Speed']);
    expect([wide(0x18fe_f109), wide(0x0cfe_f109)]).toEqual(['Door', 'Speed']);
  });

  it('is none for an error frame', () => {
    expect(can(1, 600, 0x100, frameFlag.error)).toBeNull();
  });
});

const engineIn = (database: string, name: string, isLin = false) => ({
  ...{ database, name, isLin },
  ...{ id: 0x10, extended: false, pgn: null },
});

it('prefers the databases attached to a channel, in their order, as the service does', () => {
  const names = new MessageNames({
    messages: [engineIn('a', 'First'), engineIn('b', 'Second'), engineIn('lin', 'Door', true)],
    plans: [],
    attached: [
      { slot: 1, fromUs: 100, databases: ['lin', 'b', 'a'] },
      { slot: 2, fromUs: 0, databases: ['lin'] },
    ],
  });
  const nameOf = (slot: number, bus: number, us = 200) => names.nameOf(slot, us, bus, 0x10, 0);
  expect(nameOf(1, busCode.can)).toBe('Second');
  expect(nameOf(2, busCode.lin)).toBe('Door');
  // The channel had no databases before it was opened.
  expect(nameOf(1, busCode.can, 50)).toBe('First');
  expect(nameOf(0, busCode.can)).toBe('First');
  expect(nameOf(0, busCode.lin)).toBeNull();
});

it('is that of a gateway message where no database has the identifier', () => {
  const names = new MessageNames({
    messages: [engineIn('a', 'Engine')],
    plans: [],
    gateways: [
      { instance: 'pump', slot: 1, name: 'own', id: 0x10, extended: false, protection: null },
      { instance: 'pump', slot: 1, name: 'wheels', id: 0x20, extended: false, protection: null },
    ],
  });
  const nameOf = (slot: number, id: number, flags = 0) =>
    names.nameOf(slot, 0, busCode.can, id, flags);
  expect([nameOf(1, 0x10), nameOf(1, 0x20), nameOf(2, 0x20)]).toEqual(['Engine', 'wheels', null]);
  expect(nameOf(1, 0x20, frameFlag.extended)).toBeNull();
});
