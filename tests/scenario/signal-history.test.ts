import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { type SampleRecord, SignalBench, sequencesOf } from './support/signal-bench.ts';
import { range } from './support/stream-bench.ts';

const database = `BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (1,0) [0|0] "" ECU
 SG_ Load : 16|8@1+ (1,0) [0|0] "" ECU
BO_ 257 Quiet: 8 ECU
 SG_ Nothing : 0|8@1+ (1,0) [0|0] "" ECU
`;

const frames = 30;
const kept = 10;

describe('the history of a signal', () => {
  const bench = new SignalBench();
  let long = '';
  let short = '';
  let quiet = '';

  /** A frame results in two samples for each of the plans. */
  beforeAll(async () => {
    await bench.start();
    await bench.openSegment();
    await bench.use('engine', database);
    const request = { database: 'engine', message: 'Engine' };
    ({ plan_id: long } = await bench.plan(request));
    ({ plan_id: short } = await bench.plan({ ...request, history: kept }));
    ({ plan_id: quiet } = await bench.plan({ ...request, message: 'Quiet' }));
    await bench.transmit({ id: 256, data: '0100FF', count: frames });
    await bench.decoded(long, frames);
    await bench.decoded(short, frames);
  });
  afterAll(() => bench.dispose());

  const speedOfLong = range(0, frames - 1).map((frame) => 1 + frame * 4);
  const speedOfShort = speedOfLong.map((sequence) => sequence + 2).slice(-kept);
  const oldest = speedOfShort[0] as number;
  const newest = speedOfShort.at(-1) as number;

  it('is given whole from the oldest, without a word about where to start', async () => {
    const page = await bench.page(long, 'Speed');
    expect(sequencesOf(page.samples)).toEqual(speedOfLong);
    expect(page).toMatchObject({
      next_after: speedOfLong.at(-1),
      oldest_available: speedOfLong[0],
      newest_available: speedOfLong.at(-1),
    });
    expect(await bench.page(long, 'Speed', { after: '0' })).toEqual(page);
    expect(await bench.json('signal', 'history', long, 'Speed')).toEqual(page);
    const ids = page.samples.map(({ event_id }) => event_id);
    expect(ids).toEqual(range(0, frames - 1).map((frame) => (ids[0] ?? 0) + 2 * frame));
  });

  it.each(['1', '7', '30', '4096'])(
    'comes in pages of %s that leave nothing out',
    async (limit) => {
      const samples: SampleRecord[] = [];
      for (let after = 0; ; ) {
        const page = await bench.page(long, 'Load', { after: `${after}`, limit });
        if (page.samples.length === 0) {
          expect(page.next_after).toBeGreaterThanOrEqual(after);
          break;
        }
        expect(page.samples.length).toBeLessThanOrEqual(Number(limit));
        expect(page.next_after).toBe(page.samples.at(-1)?.sequence);
        samples.push(...page.samples);
        after = page.next_after;
      }
      expect(sequencesOf(samples)).toEqual(speedOfLong.map((sequence) => sequence + 1));
    },
  );

  it('goes on behind a sequence of another signal or plan', async () => {
    const { samples } = await bench.page(long, 'Speed', { after: `${(speedOfLong[3] ?? 0) + 2}` });
    expect(sequencesOf(samples)).toEqual(speedOfLong.slice(4));
  });

  it('is as long as the plan keeps samples', async () => {
    const page = await bench.page(short, 'Speed');
    expect(sequencesOf(page.samples)).toEqual(speedOfShort);
    expect(page).toMatchObject({ oldest_available: oldest, newest_available: newest });
  });

  it.each([1, oldest - 5])('has expired behind %i, and says what there is', async (after) => {
    const answer = await bench.pageAnswer(short, 'Speed', { after: `${after}` });
    expect(answer.json().error.retryable).toBe(false);
    const details = { oldest_available: oldest, newest_available: newest };
    expect(refusedOverHttp(answer)).toEqual({ status: 409, code: 'cursor_expired', details });
    const failure = await bench.failure('signal', 'history', short, 'Speed', `--after=${after}`);
    expect(refusedByCli(failure)).toEqual({ exit: 1, code: 'cursor_expired', details });
  });

  it('goes on from right before the oldest that is kept', async () => {
    const page = await bench.page(short, 'Speed', { after: `${oldest - 1}` });
    expect(sequencesOf(page.samples)).toEqual(speedOfShort);
    // The last lost one has the same result.
    expect(await bench.page(short, 'Speed', { after: `${oldest - 4}` })).toEqual(page);
  });

  it('has no cursor beyond the newest sequence of all', async () => {
    const last = newest + 1;
    expect((await bench.page(short, 'Speed', { after: `${last}` })).samples).toEqual([]);
    for (const after of [last + 1, Number.MAX_SAFE_INTEGER]) {
      const answer = await bench.pageAnswer(short, 'Speed', { after: `${after}` });
      expect(refusedOverHttp(answer)).toMatchObject({
        status: 409,
        code: 'cursor_expired',
        details: { oldest_available: oldest, newest_available: newest },
      });
      const kept = `${oldest} to ${newest} are available`;
      expect(answer.json().error.message).toBe(
        `The cursor ${after} is ahead of the newest sample: ${kept}`,
      );
    }
  });

  it.each(['latest', 'history'])('and %s need a plan and a signal', async (what) => {
    for (const [query, field] of [
      ['', 'plan'],
      [`plan=${long}`, 'signal'],
      ['signal=Speed', 'plan'],
      [`plan=${long}&signal=`, 'signal'],
      ['plan=&signal=Speed', 'plan'],
      [`plan=${long}&plan=${short}&signal=Speed`, 'plan'],
      [`plan=${long}&signal=Speed&signals=x`, 'signals'],
    ]) {
      const answer = await bench.get(`${api}/signals/${what}?${query}`);
      expect(refusedOverHttp(answer), query).toMatchObject({
        status: 400,
        code: 'invalid_argument',
        details: { field },
      });
    }
  });

  it.each(['latest', 'history'])('and %s are of plans and signals that there are', async (what) => {
    const refusal = async (plan: string, signal: string) =>
      refusedOverHttp(await bench.get(`${api}/signals/${what}?plan=${plan}&signal=${signal}`));
    expect(await refusal('plan-0', 'Speed')).toEqual({
      status: 404,
      code: 'plan_not_found',
      details: { plan: 'plan-0' },
    });
    expect(await refusal(long, 'speed')).toEqual({
      status: 404,
      code: 'signal_not_found',
      details: { plan: long, field: 'signal', signal: 'speed', nearest: 'Speed' },
    });
    expect(await refusal(quiet, 'Nothing')).toEqual({
      status: 404,
      code: 'no_sample',
      details: { plan: quiet, signal: 'Nothing' },
    });
    const failure = await bench.failure('signal', what, quiet, 'Nothing');
    expect(refusedByCli(failure)).toMatchObject({ exit: 1, code: 'no_sample' });
  });

  it.each([
    'after=-1',
    'after=x',
    'after=1e3',
    'after=9007199254740993',
    'limit=0',
    'limit=4097',
    'after=1&after=1',
  ])('is refused with %s', async (query) => {
    const path = `${api}/signals/history?plan=${long}&signal=Speed&${query}`;
    expect(refusedOverHttp(await bench.get(path))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
    });
  });
});
