import { describe, expect, it } from 'vitest';
import { cases } from '../../src/base/testing/long.ts';
import { api, refusedOverHttp } from './support/channel-bench.ts';
import { setUpSignalBench } from './support/signal-bench.ts';

const small = 'VERSION ""\nBO_ 1 M: 8 ECU\n SG_ A : 0|8@1+ (1,0) [0|0] "" ECU\n';
const megabytes = 1_000_000;

/** Files of some ten megabytes that are expensive to read. */
const hostile: [what: string, make: () => string, reason: RegExp][] = [
  [
    'signals without end',
    () => `BO_ 1 M: 8 ECU\n${' SG_ A : 0|8@1+ (1,0) [0|0] "" ECU\n'.repeat(400_000)}`,
    /more than 40000 signals/,
  ],
  [
    'nodes without end',
    () => `BU_:${Array.from({ length: 1_400_000 }, (_, at) => ` N${at}`).join('')}\n`,
    /more than 200000 entries/,
  ],
  ['a text without end', () => `VERSION "${'\\"'.repeat(7 * megabytes)}`, /without closing quote/],
  ['words without sense', () => 'xyz '.repeat(3 * megabytes), /no DBC statement/],
  ['marks without sense', () => ':;'.repeat(7 * megabytes), /more than 100 invalid statements/],
];

describe('a file that means harm', () => {
  it.each(hostile.slice(0, cases(1, hostile.length)))(
    'and is %s is refused, and everyone else is served',
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
    bench.write('hostile.dbc', new Uint8Array(16 * 1024 * 1024 + 1).fill(32));
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
