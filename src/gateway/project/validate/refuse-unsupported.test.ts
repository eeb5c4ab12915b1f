import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../../base/errors/busbar-error.ts';
import { readLoose } from '../testing/read-text.ts';
import { refuseUnsupported } from './refuse-unsupported.ts';
import { type Changes, change } from './testing/change-project.ts';
import { plantProject } from './testing/plant-project.ts';

const refusal = (changes: Changes): BusbarError | null => {
  try {
    refuseUnsupported(readLoose(change(plantProject(), changes)));
    return null;
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
};

const check = { direction: 'check', codec: 'profile1' };
const protect = { direction: 'protect', codec: 'profile1' };

describe('refuseUnsupported', () => {
  it.each<[string, Changes]>([
    ['two checks of a message', { 'e2e.more': { ...check, message: 'Engine' } }],
    ['two protections of a message', { 'e2e.more': { ...protect, message: 'Command' } }],
    ['checks of two PDUs of a message', { 'e2e.more': { ...check, pdu: 'Upper' } }],
    ['a check of a message and one of its PDU', { 'e2e.more': { ...check, message: 'Wide' } }],
    [
      'checks of two rows that are one message on the bus',
      {
        'messages.Twin': { endpoint: 'bus', direction: 'rx', can_id: 256, length: 4 },
        'e2e.more': { ...check, message: 'Twin' },
      },
    ],
    [
      'them whatever else is wrong with the rows',
      {
        'e2e.more': { ...check, message: 'Engine', colour: 'red' },
        'messages.Engine.length': 'eight',
        'signals.speed.type': 'odd',
      },
    ],
    [
      'them where the message is not there',
      { 'e2e.more': { ...check, message: 'None' }, 'e2e.most': { ...check, message: 'None' } },
    ],
    [
      'them in rows that share an id',
      {
        'e2e.wide_check': { id: 'engine_check', ...check, pdu: 'Lower' },
        'e2e.more': { ...check, pdu: 'Lower' },
      },
    ],
  ])('refuses %s', (_, changes) => {
    expect(refusal(changes)?.toRecord()).toEqual({
      code: 'unsupported_gateway_feature',
      message: expect.stringContaining('currently unsupported'),
      details: {},
      retryable: false,
    });
  });

  it.each<[string, Changes]>([
    ['one check and one protection of each message', {}],
    [
      'a check and a protection of one identifier',
      { 'messages.Command.can_id': 256, 'e2e.engine_check.codec': 'rolling' },
    ],
    [
      'checks of one number in two formats',
      {
        'messages.Twin': {
          endpoint: 'bus',
          direction: 'rx',
          can_id: 256,
          extended: true,
          length: 4,
        },
        'e2e.more': { ...check, message: 'Twin' },
      },
    ],
    [
      'checks of one identifier on two endpoints',
      {
        'messages.Twin': { endpoint: 'other', direction: 'rx', can_id: 256, length: 4 },
        'e2e.more': { ...check, message: 'Twin' },
      },
    ],
    [
      'rows that neither check nor protect',
      {
        'e2e.more': { message: 'Engine', direction: 'odd', codec: 'profile1' },
        'e2e.most': { message: 'Engine', direction: 'odd', codec: 'profile1' },
      },
    ],
    [
      'checks of two messages of which too little is known',
      { 'messages.Engine.can_id': 'x', 'messages.Wide.can_id': 'x' },
    ],
    ['a row that names one message twice', { 'e2e.wide_check.message': 'Wide' }],
  ])('takes %s', (_, changes) => {
    expect(refusal(changes)).toBeNull();
  });
});
