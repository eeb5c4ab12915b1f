import { describe, expect, it } from 'vitest';
import {
  patiently,
  serveFromDaemon,
  serveHere,
  setUpWire,
  useDaemon,
} from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import type { CliFailure } from '../support/workbench.ts';
import { writeBench } from './support/bench-files.ts';
import { findFreePort, takePort } from './support/ports.ts';

const register = ['--unit=1', '--reference=40001'];

describe('modbus refusals', () => {
  const bench = useDaemon();
  const failure = (verb: string, ...args: string[]): Promise<CliFailure> =>
    bench().failure('modbus', verb, ...args);

  // No server listens there, which would be another error.
  const endpoint = '--endpoint=tcp:127.0.0.1:9';
  const lastRegister = [endpoint, '--unit=1', '--table=holding', '--address=65535'];
  const wrong: Record<string, [field: string, verb: string, args: string[]][]> = {
    'where to go': [
      ['unit', 'read', [endpoint, '--reference=40001']],
      ['unit', 'read', [endpoint, '--unit=256', '--reference=40001']],
      ['unit', 'write', [endpoint, '--unit=-1', '--reference=40001', '--value=1']],
      ['network', 'read', register],
      ['network', 'serve', ['--unit=1']],
      ['endpoint', 'read', [endpoint, '--network=plc', ...register]],
      ['endpoint', 'read', ['--endpoint=udp:127.0.0.1:502', ...register]],
      ['endpoint', 'read', ['--endpoint=tcp:127.0.0.1', ...register]],
      ['endpoint', 'read', ['--endpoint=rtu:', ...register]],
      ['endpoint', 'read', ['--endpoint=rtu:ttyUSB0', ...register]],
      ['endpoint', 'read', ['--endpoint=tcp:127.0.0.1:0', ...register]],
      ['endpoint', 'serve', ['--endpoint=tcp:127.0.0.1:65536', '--unit=1']],
      [
        'unit',
        'write',
        ['--endpoint=rtu:/dev/nope', '--unit=248', '--reference=40001', '--value=1'],
      ],
      ['unit', 'read', ['--endpoint=ascii:/dev/nope', '--unit=0', '--reference=40001']],
      ['unit', 'serve', ['--endpoint=rtu:/dev/nope', '--unit=0']],
      ['timeout_ms', 'read', [endpoint, ...register, '--timeout-ms=0']],
      ['retries', 'read', [endpoint, ...register, '--retries=11']],
      ['unit', 'serve', [endpoint]],
      ['unit', 'serve', [endpoint, '--unit=1', '--map=units.map.json']],
      ['unit', 'read', ['--endpoint=rtu-tcp:127.0.0.1:9', '--unit=0', '--reference=40001']],
      ['units', 'scan', [endpoint, '--units=5-3']],
      ['units', 'scan', [endpoint, '--units=1-256']],
      ['units', 'scan', [endpoint, '--units=one']],
      ['units', 'scan', ['--endpoint=rtu:/dev/nope', '--units=0-3']],
      ['network', 'scan', []],
      ['period_ms', 'poll', [endpoint, ...register, '--period-ms=0']],
    ],
    'which items are meant': [
      ['table', 'read', [endpoint, '--unit=1', '--address=0']],
      ['address', 'read', [endpoint, '--unit=1', '--table=holding']],
      ['address', 'read', [endpoint, '--unit=1', '--table=holding', '--address=65536']],
      ['reference', 'read', [endpoint, ...register, '--address=0']],
      ['reference', 'read', [endpoint, ...register, '--table=input']],
      ['reference', 'read', [endpoint, '--unit=1', '--reference=20001']],
      ['reference', 'read', [endpoint, '--unit=1', '--reference=40000']],
      ['reference', 'read', [endpoint, '--unit=1', '--reference=465537']],
      ['count', 'read', [endpoint, ...register, '--count=126']],
      ['count', 'read', [endpoint, ...register, '--count=32', '--type=f64']],
      ['count', 'read', [endpoint, '--unit=1', '--reference=465536', '--count=2']],
      ['count', 'read', ['--endpoint=tcp:no-such-host.invalid:1', ...register, '--count=126']],
      ['count', 'poll', ['--endpoint=tcp:no-such-host.invalid:1', ...register, '--count=126']],
      ['address', 'read', [...lastRegister, '--type=u32']],
      ['address', 'write', [...lastRegister, '--type=u32', '--value=5']],
      ['value', 'write', [...lastRegister, '--value=1', '--value=2']],
      ['value', 'write', [endpoint, ...register, ...new Array(124).fill('--value=1')]],
      ['reference', 'write', [endpoint, '--unit=1', '--reference=30001', '--value=1']],
      ['reference', 'write', [endpoint, '--unit=1', '--reference=00001', '--bit=1=1']],
      ['table', 'write', [endpoint, '--unit=1', '--table=input', '--address=0', '--value=1']],
      ['table', 'write', [endpoint, '--unit=1', '--table=coil', '--address=0', '--bit=1=1']],
    ],
    'what is in them': [
      ['type', 'read', [endpoint, '--unit=1', '--reference=00001', '--type=u16']],
      ['type', 'write', [endpoint, ...register, '--type=u32', '--bit=1=1']],
      ['order', 'read', [endpoint, ...register, '--order=ACBD']],
      ['order', 'read', [endpoint, '--unit=1', '--reference=00001', '--order=ABCD']],
      ['order', 'poll', [endpoint, ...register, '--type=bool', '--order=CDAB']],
      ['order', 'write', [endpoint, ...register, '--order=ABCD', '--bit=1=1']],
      ['value', 'write', [endpoint, ...register]],
      ['value', 'write', [endpoint, ...register, '--value=65536']],
      ['value', 'write', [endpoint, ...register, '--value=1.5']],
      ['value', 'write', [endpoint, ...register, '--value=one']],
      ['value', 'write', [endpoint, ...register, '--type=f32', '--value=1e39']],
      ['value', 'write', [endpoint, ...register, '--type=f32', '--value=0x1F']],
      ['value', 'write', [endpoint, ...register, '--value=0x10000']],
      ['value', 'write', [endpoint, '--unit=1', '--reference=00001', '--value=2']],
      ['bit', 'write', [endpoint, ...register, '--bit=1=1', '--value=1']],
      ['bit', 'write', [endpoint, ...register, '--bit=1=1', '--bit=1=0']],
    ],
  };

  it.each(Object.entries(wrong))('name the argument that tells %s', async (_, rows) => {
    for (const [field, verb, args] of rows) {
      const { exit, code, details } = await failure(verb, ...args);
      const named = String(details.field).replace(/\[\d+\]$/, '');
      expect({ exit, code, named, args }).toEqual({
        exit: 2,
        code: 'invalid_argument',
        named: field,
        args,
      });
    }
    // A rejected request was not even sent.
    expect(await bench().json('modbus', 'status')).toEqual({
      sessions: [],
      units: [],
      servers: [],
    });
  });

  it('tell networks that are not there from those that are no Modbus', async () => {
    writeBench(bench().project, { networks: { powertrain: 'SIM00001/0' } });
    const read = (network: string) => failure('read', `--network=${network}`, ...register);
    expect(await read('missing')).toMatchObject({
      exit: 2,
      code: 'invalid_argument',
      details: { field: 'network', reason: 'unknown_network' },
    });
    expect(await read('powertrain')).toMatchObject({
      exit: 2,
      code: 'invalid_argument',
      details: { field: 'network', reason: 'not_modbus' },
    });
    writeBench(bench().project, '{');
    expect(await read('powertrain')).toMatchObject({ exit: 1, code: 'invalid_bench' });
    writeBench(bench().project, {});
  });

  it('say why a unit cannot be reached', async () => {
    const at = (endpoint: string) =>
      failure('read', `--endpoint=${endpoint}`, ...register, patiently);
    expect(await at('tcp:no-such-host.invalid:502')).toMatchObject({
      exit: 1,
      code: 'modbus_unreachable',
    });
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    expect(await at(`tcp:127.0.0.1:${await findFreePort()}`)).toMatchObject({
      exit: 1,
      code: 'modbus_unreachable',
      details: { reason: 'ECONNREFUSED' },
      retryable: true,
    });
    // It accepts connections and closes them immediately.
    expect(await at(`tcp:127.0.0.1:${await takePort()}`)).toMatchObject({
      exit: 1,
      code: 'modbus_unreachable',
    });
    expect(await at('rtu:/dev/no-such-port')).toMatchObject({
      exit: 1,
      code: 'modbus_unreachable',
      details: { reason: 'ENOENT' },
      retryable: false,
    });
    expect(await at('rtu:/dev/null')).toMatchObject({
      exit: 1,
      code: 'modbus_unreachable',
      details: { reason: 'not_a_serial_port' },
    });
    expect(
      await failure(
        ...['read', `--endpoint=${endpoint}`, '--unit=1', '--reference=403001'],
        patiently,
      ),
    ).toMatchObject({
      exit: 1,
      code: 'modbus_exception',
      details: { unit: 1, exception: 2, name: 'illegal_data_address' },
    });
    // Over the open connection: a short time-out must not include connecting.
    expect(
      await failure(
        ...['read', `--endpoint=${endpoint}`, '--unit=2', '--reference=40001'],
        '--timeout-ms=1000',
      ),
    ).toMatchObject({
      exit: 1,
      code: 'modbus_timeout',
      details: { unit: 2, timeout_ms: 1000 },
    });
  });

  it('name an exception that the owner of the registers makes', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0', { check: () => 6 });
    expect(
      await failure('write', `--endpoint=${endpoint}`, ...register, '--value=1', patiently),
    ).toMatchObject({
      code: 'modbus_exception',
      details: { exception: 6, name: 'device_busy' },
    });
  });

  it.runIf(hasPeer('/usr/bin/socat', 'socat'))(
    'keep to the units that a kind of line can have',
    async () => {
      const wire = await setUpWire();
      const tcp = await serveFromDaemon(bench(), 'tcp:127.0.0.1:0');
      const serial = `--endpoint=rtu:${wire.one}`;
      // Requests with a short time-out need an open connection.
      await bench().json('modbus', 'read', `--endpoint=${tcp}`, ...register, patiently);
      for (const unit of [0, 248, 255]) {
        expect(await failure('read', serial, `--unit=${unit}`, '--reference=40001')).toMatchObject({
          exit: 2,
          code: 'invalid_argument',
          details: { field: 'unit', minimum: 1, maximum: 247 },
        });
        expect(await failure('serve', serial, `--unit=${unit}`)).toMatchObject({
          exit: 2,
          code: 'invalid_argument',
          details: { field: 'unit', minimum: 1, maximum: 247 },
        });
        // It exists over TCP, but is not the served one.
        const other = [`--unit=${unit}`, '--reference=40001', '--timeout-ms=50'];
        expect(await failure('read', `--endpoint=${tcp}`, ...other)).toMatchObject({
          code: 'modbus_timeout',
        });
      }
    },
  );
});
