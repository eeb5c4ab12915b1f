import { beforeEach, describe, expect, it } from 'vitest';
import { Bench, type Ecu, NegativeResponse } from '../../clients/typescript/src/index.ts';
import { reuseTransmitBench } from '../scenario/support/transmit-bench.ts';

const vin = 'WBABUSBAR00000001';
const model = {
  dids: { F190: { text: vin, writable: true } },
  dtcs: [{ dtc: '030100', status: 8 }],
  security: { '1': { seed: 'DEADBEEF', key: 'CAFEBABE' } },
  routines: { '0203': { result: 'FF' } },
  memory: { address: 0x0800_0000, size: 4096 },
};
const address = { request_id: 0x7e0, response_id: 0x7e8, functional_id: 0x7df };

describe('an ECU of the TypeScript client', () => {
  const setUp = reuseTransmitBench();
  let engine: Ecu;
  beforeEach(async () => {
    const service = await setUp(0, 1);
    service.write('engine.json', JSON.stringify(model));
    service.write('app.bin', new Uint8Array(2048).fill(7));
    const steps = [{ step: 'session', session: 'extended' }, { step: 'download' }];
    service.write('steps.json', JSON.stringify({ steps }));
    const bench = new Bench(`http://127.0.0.1:${service.port}/`);
    await bench.call('ecu.serve', { channel: 'SIM00001/1', file: 'engine.json', ...address });
    const dids = { F190: { name: 'vin', length: 17, codec: 'ascii' as const } };
    await bench.call('isotp.open', { channel: 'SIM00001/0', name: 'engine', dids, ...address });
    engine = bench.ecu('engine');
    return async () => {
      await bench.call('isotp.close', { ecu: 'engine' });
    };
  });

  it('reads and writes identifiers and trouble codes', async () => {
    expect(await engine.read('vin')).toBe(vin);
    await engine.write('vin', 'WBABUSBAR00000002');
    expect(await engine.readAll('F190')).toMatchObject([
      { name: 'vin', value: 'WBABUSBAR00000002' },
    ]);
    expect((await engine.dtcs()).dtcs).toMatchObject([{ text: 'P0301-00', status: 8 }]);
    await engine.clear();
    expect((await engine.dtcs({ count: true })).count).toBe(0);
    expect(await engine.routine('start', '0203')).toBe('FF');
  });

  it('keeps a session that is unlocked by a function of the seed', async () => {
    expect(await engine.session('extended')).toMatchObject({ session: 3 });
    const seeds: string[] = [];
    await engine.security(1, (seed) => {
      seeds.push(seed);
      return 'CAFEBABE';
    });
    expect(seeds).toEqual(['DEADBEEF']);
    expect(await engine.testerPresent(true, 500)).toMatchObject({
      ...{ session: 3, security_level: 1, tester_present_ms: 500 },
    });
    await engine.reset();
    expect(await engine.link()).toMatchObject({ session: 1, security_level: 0 });
  });

  it('throws refusals, or returns them', async () => {
    const refused = await engine.read('FFFF').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NegativeResponse);
    expect(refused).toMatchObject({ nrc: 0x31, nrcName: 'request out of range' });
    expect(await engine.request('22FFFF', { check: false })).toMatchObject({
      ...{ positive: false, nrc: 0x31, response: '7F2231' },
    });
    await engine.session('extended');
    await expect(engine.security(1)).rejects.toThrow('key');
    const all = await engine.request('1001', { functional: true });
    expect(all.responses).toMatchObject([{ id: 0x7e8, positive: true }]);
  });

  it('flashes an image and reports the progress', async () => {
    const seen: number[] = [];
    const files = { file: 'app.bin', sequence: 'steps.json' };
    const report = await engine.flash({
      ...files,
      address: 0x0800_0000,
      onProgress: ({ percent }) => seen.push(percent),
    });
    expect(report.bytes).toBe(2048);
    expect(seen.at(-1)).toBe(100);
    await expect(engine.flash({ ...files, address: 0x0900_0000 })).rejects.toMatchObject({
      details: { nrc: 0x31 },
    });
  });
});
