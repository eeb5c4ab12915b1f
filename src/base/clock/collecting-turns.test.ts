import { describe, expect, it } from 'vitest';
import { CollectingTurns } from './collecting-turns.ts';
import { LoopTurns } from './loop-turns.ts';

describe('turns for work whose objects stay', () => {
  it('have every second followed by a collection that has the next one for itself', async () => {
    const seen: string[] = [];
    const loop = new LoopTurns((work) => {
      setImmediate(() => {
        seen.push('turn');
        work();
      });
    });
    const turns = new CollectingTurns(loop, () => seen.push('collection'));
    for (let piece = 0; piece < 4; piece++) {
      await turns.next();
      seen.push('work');
    }
    const two = ['turn', 'work', 'turn', 'collection', 'turn', 'work'];
    expect(seen).toEqual([...two, ...two]);
  });

  it('end with a caller that has left', async () => {
    const turns = new CollectingTurns(new LoopTurns(), () => undefined);
    await expect(turns.next(AbortSignal.abort())).rejects.toMatchObject({
      code: 'operation_cancelled',
    });
  });
});
