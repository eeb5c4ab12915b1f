import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { samplesAfter } from './signals-state.ts';

/** A service that answers each query only after another sample has arrived. */
const serveBusySignal = (kept: number): { readonly questions: number[] } => {
  const questions: number[] = [];
  let newest = kept;
  vi.stubGlobal('fetch', async (path: string) => {
    const query = new URL(path, 'http://bench').searchParams;
    const after = Number(query.get('after'));
    const limit = Number(query.get('limit'));
    questions.push(after);
    newest += 1;
    const count = Math.min(limit, newest - after);
    const samples = Array.from({ length: count }, (_, at) => ({ sequence: after + at + 1 }));
    return Response.json({
      samples,
      next_after: after + count,
      oldest_available: 1,
      newest_available: newest,
    });
  });
  return { questions };
};

describe('samplesAfter', () => {
  beforeEach(() => vi.stubGlobal('location', { host: 'bench:8080' }));
  afterEach(() => vi.unstubAllGlobals());

  it('fetches all that there was when it began, and does not run after what comes meanwhile', async () => {
    const { questions } = serveBusySignal(6000);
    const samples = await samplesAfter('plan-1', 'Speed', 0);
    expect(questions).toEqual([0, 4096]);
    expect(samples.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 6002 }, (_, at) => at + 1),
    );
  });
});
