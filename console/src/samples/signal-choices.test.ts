import { describe, expect, it } from 'vitest';
import type { SignalPlan } from '../api/client.ts';
import {
  choiceKey,
  choiceOfInstance,
  expiredOrigins,
  followedOf,
  freeLook,
  instanceOf,
  noChoice,
  planFor,
  planOfAnySender,
  requestFor,
  type SignalChoice,
  stateOf,
} from './signal-choices.ts';

const aChoice = (changes: Partial<SignalChoice> = {}): SignalChoice => ({
  channel: 'powertrain',
  selector: 'SIM00001/0',
  database: 'vehicle',
  message: 'Engine',
  history: 512,
  signal: 'EngineSpeed',
  isPlotted: true,
  look: 0,
  ...changes,
});

const aPlan = (changes: Partial<SignalPlan> = {}): SignalPlan => ({
  plan_id: 'plan-1',
  channel: 'powertrain',
  selector: 'SIM00001/0',
  slot: 0,
  database: 'vehicle',
  databases: ['vehicle'],
  message: 'Engine',
  messages: ['Engine'],
  id: 256,
  extended: false,
  pgn: null,
  source_address: null,
  signals: ['EngineSpeed', 'Throttle'],
  omitted: [],
  omitted_total: 0,
  history: 1024,
  frames: 0,
  channel_open: true,
  ...changes,
});

describe('planFor', () => {
  it('finds the plan of the message on the channel, whatever the channel is called there', () => {
    expect(planFor(aChoice(), [aPlan({ channel: '0' })])?.plan_id).toBe('plan-1');
    expect(planFor(aChoice(), [aPlan({ selector: 'SIM00009/0' })])?.plan_id).toBe('plan-1');
  });

  it.each([
    { channel: 'body', selector: 'SIM00001/2' },
    { database: 'other' },
    { message: 'Brake' },
    { message: null, messages: ['Engine'], id: null, extended: null },
    { signals: ['Throttle'] },
  ])('passes over a plan that differs in %j', (changes) => {
    expect(planFor(aChoice(), [aPlan(changes)])).toBeNull();
  });

  it('prefers a plan whose channel is open', () => {
    const plans = [aPlan({ channel_open: false }), aPlan({ plan_id: 'plan-2' })];
    expect(planFor(aChoice(), plans)?.plan_id).toBe('plan-2');
  });
});

describe('stateOf', () => {
  it('does not call a plan expired before the plans are known', () => {
    expect(stateOf(aChoice(), null)).toBe('unknown');
    expect(stateOf(aChoice(), [])).toBe('expired');
  });

  it('tells an open channel from a closed one', () => {
    expect(stateOf(aChoice(), [aPlan()])).toBe('active');
    expect(stateOf(aChoice(), [aPlan({ channel_open: false })])).toBe('channel_closed');
  });

  it('takes a plan that was made anew under another id as the same', () => {
    expect(stateOf(aChoice(), [aPlan({ plan_id: 'plan-99' })])).toBe('active');
  });
});

describe('expiredOrigins', () => {
  it('lists each lost plan once, with all it takes to make it anew', () => {
    const choices = [
      aChoice(),
      aChoice({ signal: 'Throttle' }),
      aChoice({ message: 'Brake', signal: 'BrakePedal' }),
    ];
    const lost = expiredOrigins(choices, [aPlan({ message: 'Brake', signals: ['BrakePedal'] })]);
    expect(lost.map(requestFor)).toEqual([
      { channel: 'powertrain', database: 'vehicle', message: 'Engine', history: 512 },
    ]);
  });

  it('keeps the one sender that a plan was about, and tells it from a plan of all', () => {
    const one = aChoice({ source_address: 33 });
    const ofAll = aPlan();
    const ofOne = aPlan({ plan_id: 'plan-2', source_address: 33 });
    expect(planFor(one, [ofAll])).toBeNull();
    expect(planFor(one, [ofAll, ofOne])).toBe(ofOne);
    expect(planFor(aChoice(), [ofOne, ofAll])).toBe(ofAll);
    expect(planOfAnySender(aChoice(), [ofOne])).toBe(ofOne);
    expect(expiredOrigins([one, aChoice()], [ofAll]).map(requestFor)).toEqual([
      {
        channel: 'powertrain',
        database: 'vehicle',
        message: 'Engine',
        history: 512,
        source_address: 33,
      },
    ]);
    expect(choiceKey(one)).not.toBe(choiceKey(aChoice()));
  });

  it('lists nothing before the plans are known', () => {
    expect(expiredOrigins([aChoice()], null)).toEqual([]);
  });
});

describe('followedOf', () => {
  it('gathers the chosen signals of each plan, and leaves out those without one', () => {
    const choices = [
      aChoice(),
      aChoice({ signal: 'Throttle' }),
      aChoice({ message: 'Brake', signal: 'BrakePedal' }),
    ];
    expect(followedOf(choices, [aPlan()])).toEqual(
      new Map([['plan-1', new Set(['EngineSpeed', 'Throttle'])]]),
    );
  });
});

describe('choiceKey', () => {
  it('tells apart the same signal on two channels', () => {
    expect(choiceKey(aChoice())).not.toBe(choiceKey(aChoice({ channel: 'body' })));
  });
});

describe('freeLook', () => {
  it('takes the first colour that is used the least', () => {
    expect(freeLook([], 3)).toBe(0);
    expect(freeLook([aChoice({ look: 0 }), aChoice({ look: 2 })], 3)).toBe(1);
    expect(
      freeLook(
        [0, 1, 2].map((look) => aChoice({ look })),
        3,
      ),
    ).toBe(0);
  });
});

describe('a signal of a gateway instance', () => {
  it('is a choice without a plan, which never expires', () => {
    const choice = choiceOfInstance('car', 'speed', 3);
    expect(instanceOf(choice)).toBe('car');
    expect(stateOf(choice, [])).toBe('active');
    expect(expiredOrigins([choice], [])).toEqual([]);
    expect(followedOf([choice], []).size).toBe(0);
  });

  it('is not one of a channel of the same name', () => {
    expect(instanceOf({ ...noChoice, channel: 'car', database: 'car' })).toBeNull();
  });
});
