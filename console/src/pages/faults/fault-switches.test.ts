import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import type { GatewayFault } from '../../api/client.ts';
import { effectText, FaultSwitches, triggerText } from './fault-switches.ts';

const rule = (part: Partial<GatewayFault>): GatewayFault => ({
  id: 'r',
  task: 't',
  enabled: false,
  kind: 'drop',
  start: 1,
  every: 1,
  count: 0,
  fired: 0,
  ...part,
});

describe('a fault rule in words', () => {
  it.each([
    [{}, 'Every frame'],
    [{ start: 10, every: 2, count: 5 }, 'Every 2nd frame, from the 10th, at most 5 times'],
    [{ start: 11, every: 3, count: 1 }, 'Every 3rd frame, from the 11th, once'],
    [{ start: 21, every: 12 }, 'Every 12th frame, from the 21st'],
  ])('says when it fires', (part, text) => {
    expect(triggerText(rule(part))).toBe(text);
  });

  it('says what it does', () => {
    expect(effectText(rule({ kind: 'xor_byte', byte_offset: 3, mask: 15 }))).toBe(
      'Flips bits 0x0F of byte 3',
    );
    expect(effectText(rule({ kind: 'counter_jump', value: '2' }))).toBe('Jumps the counter by 2');
  });
});

const refusal = (message: string): ApiError => new ApiError({ code: 'conflict', message });

const car = { name: 'car', loadedAtUs: 1 };

describe('switches of fault rules', () => {
  it('keep each refusal until that rule is switched, whatever becomes of the others', async () => {
    const refused = new Map([
      ['a', refusal('no')],
      ['c', refusal('no')],
      ['d', refusal('never')],
    ]);
    const switches = new FaultSwitches(async (_instance, rule) => {
      const error = refused.get(rule);
      if (error) throw error;
    });
    const rules = ['a', 'b', 'c', 'd'].map((id) => ({ id, enabled: true }));
    const failures = () =>
      switches.failuresOf(car, rules).map(({ rules: list, error }) => [list, error.message]);
    await Promise.all(rules.map(({ id }) => switches.turn(car, id, false)));
    expect(failures()).toEqual([
      [['a', 'c'], 'no'],
      [['d'], 'never'],
    ]);
    expect(switches.failuresOf({ ...car, name: 'lorry' }, rules)).toEqual([]);
    expect(switches.failuresOf({ ...car, loadedAtUs: 2 }, rules)).toEqual([]);
    refused.delete('a');
    await switches.turn(car, 'a', false);
    expect(failures()).toEqual([
      [['c'], 'no'],
      [['d'], 'never'],
    ]);
    // Another client has switched them off in the meantime.
    expect(
      switches.failuresOf(
        car,
        rules.map(({ id }) => ({ id, enabled: false })),
      ),
    ).toEqual([]);
  });

  it('wait for their own answer, not for that of a rule of the same name in another instance', async () => {
    let answer = (): void => {};
    const switches = new FaultSwitches(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    const turned = switches.turn(car, 'a', true);
    expect([switches.isBusy(car, 'a'), switches.isBusy({ ...car, name: 'lorry' }, 'a')]).toEqual([
      true,
      false,
    ]);
    answer();
    await turned;
    expect(switches.isBusy(car, 'a')).toBe(false);
  });
});
