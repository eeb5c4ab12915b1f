import { describe, expect, it } from 'vitest';
import { CollectingYieldQueue } from './collecting-yield-queue.ts';
import { YieldQueue } from './yield-queue.ts';

describe('turns for work whose objects stay', () => {
  it('have every second followed by a collection that has the next one for itself', async () => {
    const seen: string[] = [];
    const loop = new YieldQueue((work) => {
      setImmediate(() => {
        seen.push('turn');
        work();
      });
    });
    const turns = new CollectingYieldQueue(loop, () => seen.push('collection'));
    for (let piece = 0; piece < 4; piece++) {
      await turns.next();
      seen.push('work');
    }
    const two = ['turn', 'work', 'turn', 'collection', 'turn', 'work'];
    expect(seen).toEqual([...two, ...two]);
  });

  it('end with a caller that has left', async () => {
    const turns = new CollectingYieldQueue(new YieldQueue(), () => undefined);
    await expect(turns.next(AbortSignal.abort())).rejects.toMatchObject({
      code: 'operation_cancelled',
    });
  });
});
