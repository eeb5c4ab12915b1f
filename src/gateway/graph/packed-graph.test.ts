import { describe, expect, it } from 'vitest';
import type { SharedInstance } from '../instances/instance-registry.ts';
import { GraphCache, type PackedGraph } from './packed-graph.ts';

const instance = (serial: number) => ({ serial }) as SharedInstance;

const setUp = () => {
  const made: number[] = [];
  const failing = new Set<number>();
  const kept = new GraphCache(async ({ serial }) => {
    made.push(serial);
    if (failing.has(serial)) throw new Error('no memory');
    return { nodes: serial, edges: 0 } as PackedGraph;
  });
  return { made, failing, kept };
};

describe('GraphCache', () => {
  it('makes the graph once for all pages, also for those asked for meanwhile', async () => {
    const { kept, made } = setUp();
    const graphs = await Promise.all([kept.of(instance(1)), kept.of(instance(1))]);
    expect(graphs.map(({ nodes }) => nodes)).toEqual([1, 1]);
    await kept.of(instance(1));
    expect(made).toEqual([1]);
  });

  it('keeps one, and none of an instance that is gone', async () => {
    const { kept, made } = setUp();
    await kept.of(instance(1));
    await kept.of(instance(2));
    await kept.of(instance(1));
    kept.forget(2);
    await kept.of(instance(1));
    kept.forget(1);
    await kept.of(instance(1));
    expect(made).toEqual([1, 2, 1, 1]);
  });

  it('tries again after a failure', async () => {
    const { kept, failing } = setUp();
    failing.add(1);
    await expect(kept.of(instance(1))).rejects.toThrow('no memory');
    failing.clear();
    expect((await kept.of(instance(1))).nodes).toBe(1);
  });
});
