import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from '../support/workbench.ts';
import { refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { setUpSignalBench } from './support/signal-bench.ts';

const vehicle = `BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (1,0) [0|0] "" ECU
`;

const create = ['plan', 'create', '--channel=0', '--database=vehicle', '--message=Engine'];

describe('signal plans and the life of the Web service', () => {
  const workbench = new Workbench();
  beforeAll(() => workbench.json('daemon', 'start'));
  afterAll(() => workbench.dispose());

  it.each([
    [['list']],
    [create],
    [['plan', 'delete', 'plan-1']],
    [['latest', 'plan-1', 'Speed']],
    [['history', 'plan-1', 'Speed']],
    [['watch']],
  ])('signal %j is refused without it', async (words) => {
    const failure = await workbench.failure('signal', ...words);
    expect(refusedByCli(failure)).toEqual({ exit: 1, code: 'web_not_running', details: {} });
    expect(failure.stdout).toBe('');
  });

  it('plans end with it, while channels and databases stay', async () => {
    const bench = await setUpSignalBench();
    await bench.openSegment();
    await bench.use('vehicle', vehicle);
    const { plan_id } = await bench.plan({ database: 'vehicle', message: 'Engine' });
    await bench.transmit({ id: 256, data: '0100' });
    await bench.decoded(plan_id, 1);

    await bench.ask(['web', 'stop']);
    const refused = refusedByCli(await bench.failure('signal', 'latest', plan_id, 'Speed'));
    expect(refused).toMatchObject({ exit: 1, code: 'web_not_running' });
    await bench.start();
    expect(await bench.plans()).toEqual([]);
    const gone = { status: 404, code: 'plan_not_found', details: { plan: plan_id } };
    expect(refusedOverHttp(await bench.latestAnswer(plan_id, 'Speed'))).toEqual(gone);
    expect(refusedOverHttp(await bench.pageAnswer(plan_id, 'Speed'))).toEqual(gone);
    expect(refusedOverHttp(await bench.deletePlan(plan_id))).toEqual(gone);
    expect(refusedByCli(await bench.failure('signal', 'history', plan_id, 'Speed'))).toMatchObject({
      exit: 1,
      code: 'plan_not_found',
    });

    // The same request creates a new plan immediately: channel and database still exist.
    const again = await bench.plan({ database: 'vehicle', message: 'Engine' });
    expect(again.plan_id).not.toBe(plan_id);
    await bench.transmit({ id: 256, data: '0200' });
    await bench.decoded(again.plan_id, 1);
    // Sequences continue, so that an old cursor never matches new samples.
    const { sequence, value } = await bench.latest(again.plan_id, 'Speed');
    expect(value).toBe('2');
    expect(sequence).toBeGreaterThan(1);
  });
});
