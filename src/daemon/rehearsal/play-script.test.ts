import { describe, expect, it } from 'vitest';
import { operations } from '../../operations/registry.ts';
import { validateArguments } from '../../operations/validate.ts';
import { playScript } from './play-script.ts';
import { ending, flood, meanwhile, opening, rounds } from './rehearsal-script.ts';

const steps = [...opening, ...meanwhile, ...flood, ...ending];

describe('the script of a rehearsal', () => {
  it.each(steps)('has operations of the bench thread with right arguments: %s %j', (id, input) => {
    const operation = operations.find((candidate) => candidate.id === id);
    expect(operation?.execution.place).toBe('bench');
    if (operation) validateArguments(operation, input);
  });

  const play = async (failing: string | null) => {
    const taken: string[] = [];
    const defects: unknown[] = [];
    const refusal = new RangeError('refused');
    const take = async (what: string): Promise<void> => {
      taken.push(what);
      if (what === failing) throw refusal;
    };
    await playScript({
      operations,
      invoke: take,
      runGateway: () => take('gateway'),
      onDefect: (thrown) => defects.push(thrown),
    });
    return { taken, defects, refusal };
  };

  it('is played to its end, the gateway while tasks still run', async () => {
    const { taken, defects } = await play(null);
    const ofScript = opening.length + rounds * meanwhile.length + flood.length + ending.length;
    expect(taken).toHaveLength(ofScript + 1);
    expect(taken.slice(-1 - ending.length)).toEqual(['gateway', ...ending.map(([id]) => id)]);
    expect(defects).toEqual([]);
  });

  it('ends with the first step that fails, which is told', async () => {
    const { taken, defects, refusal } = await play('channel.list');
    expect(taken.at(-1)).toBe('channel.list');
    expect(defects).toEqual([refusal]);
  });
});
