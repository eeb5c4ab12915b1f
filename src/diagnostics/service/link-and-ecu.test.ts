import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import type { SendRequest } from './requests.ts';
import { EcuRig } from './testing/ecu-rig.ts';

/** Requests of one caller, the next one a time after the other. */
const sequences: readonly (readonly string[])[] = [
  ...[['1001'], ['1081'], ['1002'], ['1003'], ['1083'], ['1101'], ['1181'], ['22F190'], ['3E80']],
  ...[['31010203'], ['2701'], ['2702CAFEBABE'], ['2701', '2702CAFEBABE']],
];

const ways: readonly Partial<SendRequest>[] = [
  {},
  { wait: false },
  { protocol: 'isotp' },
  { protocol: 'isotp', wait: false },
  { functional: true },
  { timeout_ms: 2 },
];

const step = fc.record({
  requests: fc.constantFrom(...sequences),
  way: fc.constantFrom(...ways),
  pauseUs: fc.constantFrom(0, 100, 1000, 5000, 60_000, 1_000_000),
});

it('a link shows the session and the security level of its ECU, however it is asked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const rig = new EcuRig();
      await rig.openEngine({ routines: { '0203': { duration_ms: 300 } } });
      for (const { requests, way, pauseUs } of steps) {
        for (const data of requests) rig.ask(data, way);
        await rig.pass(pauseUs);
      }
      // All requests are over, and S3 is not.
      for (let times = 0; times < 150; times++) await rig.pass(20_000);
      const { session, security_level } = (await rig.link()).record();
      const [ecu] = rig.ecus.list();
      expect([session, security_level]).toEqual([ecu?.session, ecu?.security_level]);
    }),
    { numRuns: cases(100, 3000) },
  );
});
