import { describe, expect, it } from 'vitest';
import { cases } from '../../src/base/testing/long.ts';
import { hostileFiles } from '../../src/database/testing/hostile-files.ts';
import { api, refusedOverHttp } from './support/channel-bench.ts';
import { setUpSignalBench } from './support/signal-bench.ts';

const small = 'VERSION ""\nBO_ 1 M: 8 ECU\n SG_ A : 0|8@1+ (1,0) [0|0] "" ECU\n';
const rejected = hostileFiles.flatMap(({ what, file, make, reason }) =>
  file === 'hostile.dbc' && reason !== null ? [[what, make, reason] as const] : [],
);

describe('a file that means harm', () => {
  it.each(rejected.slice(0, cases(1, 5)))(
    'and costs as much as it can is refused, and everyone else is served: %s',
    async (_, make, reason) => {
      const bench = await setUpSignalBench();
      await bench.use('small', small);
      bench.write('hostile.dbc', make());
      // Repeated if this process was paused before the error.
      for (let servedMeanwhile = 0; servedMeanwhile === 0; ) {
        let isDone = false;
        const loading = bench.load({ file: 'hostile.dbc' }).finally(() => {
          isDone = true;
        });
        while (!isDone) {
          expect((await bench.get(`${api}/health`)).status).toBe(200);
          if (!isDone) servedMeanwhile += 1;
        }
        const refused = refusedOverHttp(await loading);
        expect(refused).toMatchObject({ status: 422, code: 'invalid_database' });
        expect(refused.details).toMatchObject({ reason: expect.stringMatching(reason) });
      }

      const { databases } = (await bench.get(`${api}/databases`)).json();
      expect(databases.map(({ name }: { name: string }) => name)).toEqual(['small']);
      const { daemon } = (await bench.get(`${api}/health`)).json();
      expect(daemon.threads).toContainEqual(
        expect.objectContaining({ name: 'loader', restarts: 0 }),
      );
    },
  );

  it('is refused for its size before it is read', async () => {
    const bench = await setUpSignalBench();
    bench.write('hostile.dbc', new Uint8Array(8 * 1024 * 1024 + 1).fill(32));
    expect(refusedOverHttp(await bench.load({ file: 'hostile.dbc' }))).toEqual({
      status: 422,
      code: 'invalid_database',
      details: {
        field: 'file',
        file: 'hostile.dbc',
        line: 1,
        column: 1,
        reason: expect.any(String),
      },
    });
  });
});
