import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { FaultSwitches } from './fault-switches.ts';

const refusal = (message: string): ApiError => new ApiError({ code: 'conflict', message });

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
    const rules = ['a', 'b', 'c', 'd'];
    const failures = () =>
      switches.failuresOf('car', rules).map(({ rules: list, error }) => [list, error.message]);
    await Promise.all(rules.map((rule) => switches.turn('car', rule, false)));
    expect(failures()).toEqual([
      [['a', 'c'], 'no'],
      [['d'], 'never'],
    ]);
    expect(switches.failuresOf('lorry', rules)).toEqual([]);
    refused.delete('a');
    await switches.turn('car', 'a', false);
    expect(failures()).toEqual([
      [['c'], 'no'],
      [['d'], 'never'],
    ]);
  });

  it('wait for their own answer, not for that of a rule of the same name in another instance', async () => {
    let answer = (): void => {};
    const switches = new FaultSwitches(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    const turned = switches.turn('car', 'a', true);
    expect([switches.isBusy('car', 'a'), switches.isBusy('lorry', 'a')]).toEqual([true, false]);
    answer();
    await turned;
    expect(switches.isBusy('car', 'a')).toBe(false);
  });
});
