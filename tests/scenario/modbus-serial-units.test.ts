import { describe, expect, it } from 'vitest';
import { patiently, setUpWire, useDaemon } from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually } from '../support/workbench.ts';
import { writeBench } from './support/bench-files.ts';
import { type Act, ScriptedUnit } from './support/scripted-unit.ts';

const silence: Act = () => undefined;
const sayingInstead =
  (...bytes: number[]): Act =>
  (_, send) =>
    send(Uint8Array.from(bytes));
const damaged: Act = (answer, send) => send(answer.with(4, 43));

/** Sends a response with a pause inside. */
const pausing =
  (ms: number): Act =>
  (answer, send) => {
    send(answer.slice(0, 4));
    setTimeout(() => send(answer.slice(4)), ms);
  };

describe.runIf(hasPeer('/usr/bin/socat', 'socat'))('units on a serial line', () => {
  const bench = useDaemon();

  /** The line is open, so that short time-outs need not include opening it. */
  const setUp = async () => {
    const wire = await setUpWire();
    const unit = await ScriptedUnit.at(wire.other);
    const endpoint = `--endpoint=rtu:${wire.one}`;
    const read = (...more: string[]) =>
      bench().json(
        ...['modbus', 'read', endpoint, '--unit=1', '--reference=40001', patiently],
        ...more,
      );
    const fail = (...more: string[]) =>
      bench().failure(...['modbus', 'read', endpoint, '--unit=1', '--reference=40001'], ...more);
    const probes = () => unit.asked.filter((pdu) => pdu.startsWith('08'));
    const unitRecord = async () => {
      const { units } = await bench().json<{ units: { endpoint: string }[] }>('modbus', 'status');
      return units.filter(({ endpoint: at }) => at.includes(wire.one));
    };
    await read();
    return { wire, unit, read, fail, probes, unitRecord };
  };

  it('are asked again at once after a damaged answer, which is told as such', async () => {
    const { unit, read, fail, probes, unitRecord } = await setUp();
    unit.acts.push(damaged, sayingInstead(2, 3, 2, 0, 7, 0xbd, 0x86));
    expect(await fail(patiently)).toMatchObject({
      exit: 1,
      code: 'modbus_bad_reply',
      details: { unit: 1, wrong: 'checksum', received: expect.stringMatching(/^010302002B/) },
    });
    expect(await fail(patiently)).toMatchObject({
      code: 'modbus_bad_reply',
      details: { unit: 1, wrong: 'unit', received: '0203020007' },
    });
    expect(await read()).toMatchObject({ values: ['42'] });
    expect(probes()).toEqual([]);
    expect(await unitRecord()).toMatchObject([{ unit: 1, state: 'healthy', misses: 0 }]);
  });

  it('tell a wrong baud rate by what came instead of silence', async () => {
    const { unit, fail } = await setUp();
    unit.acts.push(sayingInstead(0xf8, 0, 0xfe, 0xf8));
    // Enough time for the rest.
    expect(await fail('--timeout-ms=2000')).toMatchObject({
      code: 'modbus_bad_reply',
      details: { wrong: 'garbage', received: 'F800FEF8', timeout_ms: 2000 },
    });
  });

  it('that know no function 08 are probed once, and readable again after a time-out', async () => {
    const { unit, read, fail, probes } = await setUp();
    unit.acts.push(silence);
    expect(await fail('--timeout-ms=300')).toMatchObject({ code: 'modbus_timeout' });
    expect(await fail('--timeout-ms=300')).toMatchObject({
      code: 'busy',
      details: {
        reason: 'resynchronising',
        until_us: expect.any(Number),
        retry_in_ms: expect.any(Number),
      },
    });
    expect(await read()).toMatchObject({ values: ['42'] });
    expect(await read('--count=2')).toMatchObject({ values: ['42', '42'] });
    unit.acts.push(silence);
    expect(await fail('--timeout-ms=300')).toMatchObject({ code: 'modbus_timeout' });
    expect(await read()).toMatchObject({ values: ['42'] });
    expect(probes()).toHaveLength(1);
  });

  it('are asked at once what is answered in another form, and never probed if so told', async () => {
    const { unit, read, fail, probes } = await setUp();
    unit.acts.push(silence);
    const options = ['--probe=false', '--late-ms=30000'];
    expect(await fail('--timeout-ms=300', ...options)).toMatchObject({ code: 'modbus_timeout' });
    expect(await fail('--timeout-ms=300', ...options)).toMatchObject({ code: 'busy' });
    expect(await read('--count=2', ...options)).toMatchObject({ values: ['42', '42'] });
    // This shows that the first response will not arrive.
    expect(await read(...options)).toMatchObject({ values: ['42'] });
    expect(probes()).toEqual([]);
  });

  it('may pause inside a frame, for longer if told so', async () => {
    const { unit, read } = await setUp();
    // Repeated if a pause of the machine made the gap too long.
    await eventually(async () => {
      unit.acts.push(pausing(80));
      return read().then(
        ({ values }) => String(values) === '42',
        () => false,
      );
    });
    unit.acts.push(pausing(700));
    expect(await read('--gap-ms=10000')).toMatchObject({ values: ['42'] });
  });

  it('are treated as the bench file says', async () => {
    const { wire, unit, probes } = await setUp();
    const line = {
      port: wire.one,
      framing: 'rtu',
      gap_ms: 10_000,
      late_ms: 100,
      units: { 1: { probe: false } },
    };
    writeBench(bench().project, { networks: { meters: { serial: line } } });
    const { networks } = await bench().json<{ networks: unknown }>('bench', 'show');
    expect(networks).toMatchObject({ meters: { serial: line } });
    const read = ['modbus', 'read', '--network=meters', '--unit=1', '--reference=40001'];
    await bench().json(...read, patiently);
    unit.acts.push(silence, pausing(700));
    expect(await bench().failure(...read, '--timeout-ms=300')).toMatchObject({
      code: 'modbus_timeout',
    });
    expect(await bench().json(...read, patiently)).toMatchObject({ values: ['42'] });
    expect(probes()).toEqual([]);
  });
});
