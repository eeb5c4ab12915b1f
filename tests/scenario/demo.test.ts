import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { ask } from '../support/http.ts';
import { patiently } from '../support/modbus-rig.ts';
import { eventually, setUpWorkbench } from '../support/workbench.ts';
import { type BackgroundCommand, runInBackground } from './support/background-command.ts';
import { sameDaemon } from './support/daemon-records.ts';
import { isRefused, takePort } from './support/ports.ts';
import { processesOf } from './support/processes.ts';

const portIn = async (demo: BackgroundCommand): Promise<number> => {
  await demo.printed('stdout', 'Ctrl-C');
  return Number(/http:\/\/127\.0\.0\.1:([0-9]+)\//.exec(demo.stdout)?.[1]);
};

describe('busbar demo', () => {
  it('says where the console is, serves it, and ends with nothing left on Ctrl-C', async () => {
    const bench = setUpWorkbench();
    const demo = runInBackground(bench, 'demo', '--port=0');
    const port = await portIn(demo);

    expect(demo.stdout).toContain(`Console  http://127.0.0.1:${port}/\n`);
    const page = await ask({ port, path: '/' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const api = /API +http:\/\/[^/]+(\S+)/.exec(demo.stdout)?.[1] ?? '';
    expect((await ask({ port, path: api })).json()).toMatchObject({ openapi: '3.1.0' });

    demo.killGroup('SIGINT');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(processesOf(bench.home)).toEqual([]);
    expect(await isRefused(port)).toBe(true);
    expect(readdirSync(bench.home)).not.toContain('busbar.sock');
    expect(readdirSync(bench.home)).not.toContain('daemon.json');
    expect(readdirSync(bench.project)).toEqual([]);
  });

  it('runs a gateway project from one segment to the other, and keeps what was edited of it', async () => {
    const bench = setUpWorkbench();
    const demo = runInBackground(bench, 'demo', '--port=0');
    const port = await portIn(demo);
    const gateway = '/api/v1/gateways/vehicle-gateway';
    const get = async (path: string) => (await ask({ port, path })).json();
    const counters = () => get('/api/v1/gateways?instance=vehicle-gateway');

    expect(await counters()).toMatchObject({ state: 'running', task_total: 4 });
    // The check of received wheel speeds becomes valid after several good frames.
    await eventually(async () => (await counters()).health === 'ok');
    const received = async (id: number): Promise<boolean> => {
      const query = ['--channel=body', '--limit=4096'];
      const { events } = await bench.json<{ events: { id: number; kind: string }[] }>(
        ...['message', 'history', ...query],
      );
      return events.some((event) => event.kind === 'rx_frame' && event.id === id);
    };
    for (const id of [0x400, 0x410, 0x420]) await eventually(() => received(id));
    await eventually(async () => {
      const { signals } = await get(`${gateway}/signals`);
      const invalid = signals.filter(({ valid }: { valid: boolean }) => !valid);
      // No client has set this signal yet.
      return invalid.length === 1 && invalid[0].id === 'WiperSetpoint';
    });

    expect((await counters()).injected).toBe(0);
    const rule = ['--instance=vehicle-gateway', '--rule=corrupt_wheels', '--enabled=true'];
    expect(await bench.json('gateway', 'fault', ...rule)).toMatchObject({ enabled: true });
    await eventually(async () => (await counters()).injected > 1);
    const parking = async () => get(`${gateway}/signals/ParkingSpeed`);
    await eventually(async () => (await parking()).quality === 'e2e_error');

    // Its networks are available to any caller without a bench file.
    const stopped = await ask({ port, method: 'POST', path: `${gateway}/stop` });
    expect(stopped.json()).toMatchObject({ state: 'stopped' });
    const started = await ask({ port, method: 'POST', path: `${gateway}/start` });
    expect(started.json()).toMatchObject({ state: 'running' });

    const [folder] = readdirSync(bench.project) as [string];
    appendFileSync(join(bench.project, folder, 'vehicle-gateway.gwproj'), '\n');
    demo.kill('SIGTERM');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(readdirSync(join(bench.project, folder))).toEqual(['vehicle-gateway.gwproj']);
  });

  it('mirrors the vehicle to Modbus clients, and moves its wipers as one of them wants', async () => {
    const bench = setUpWorkbench();
    const taken = await takePort();
    const demo = runInBackground(bench, 'demo', '--port=0', `--modbus-port=${taken}`);
    await demo.printed('stdout', 'Ctrl-C');
    const port = Number(/--endpoint=tcp:127\.0\.0\.1:([0-9]+) /.exec(demo.stdout)?.[1]);
    expect(port).toBeGreaterThan(taken);
    expect(port).toBeLessThanOrEqual(taken + 20);
    const moved = `Port ${taken} is in use; Modbus uses 127.0.0.1:${port} instead.\n`;
    expect(demo.stdout).toContain(moved);

    // Callers without a bench file have its network, with the port that was free.
    const plc = ['--network=vehicle-modbus', '--unit=1', patiently];
    const values = async (table: string, count: number): Promise<string[]> => {
      const items = [`--table=${table}`, '--address=0', `--count=${count}`];
      return (await bench.json<{ values: string[] }>('modbus', 'read', ...plc, ...items)).values;
    };
    await eventually(async () => (await values('input', 5)).every((value) => value !== '65535'));
    const [, rpm, coolant, gear] = (await values('input', 5)).map(Number);
    expect(rpm).toBeGreaterThan(700);
    expect(coolant).toBeGreaterThan(15);
    expect(gear).toBeLessThanOrEqual(6);
    // It is faster than that for half a minute of its drive.
    await eventually(async () => (await values('discrete', 6))[5] === 'false');
    // Any speed is above that.
    const limit = ['--instance=vehicle-gateway', '--signal=SpeedLimit', '--value=-10'];
    await bench.json('gateway', 'set', ...limit);
    await eventually(async () => (await values('discrete', 6))[5] === 'true');

    const setpoint = [...plc, '--table=holding', '--address=0'];
    const refused = await bench.failure('modbus', 'write', ...setpoint, '--value=4');
    expect(refused).toMatchObject({ code: 'modbus_exception', details: { exception: 3 } });
    expect(await values('holding', 1)).toEqual(['0']);
    const received = async (channel: string, id: string, mode: number): Promise<boolean> => {
      const query = [`--channel=${channel}`, `--id=${id}`, '--direction=rx', '--limit=4096'];
      const { events } = await bench.json<{ events: { data: string }[] }>(
        ...['message', 'history', ...query],
      );
      return events.some(({ data }) => data.endsWith(`0${mode}`));
    };
    // No rain makes the wipers fast at first and then intermittent.
    for (const mode of [3, 1]) {
      await bench.json('modbus', 'write', ...setpoint, `--value=${mode}`);
      // From the client to the car on its bus, to its LIN slave, and back.
      await eventually(() => received('body', '430', mode));
      await eventually(() => received('body-tap', '300', mode));
      await eventually(() => received('door-slave', '11', mode));
      await eventually(async () => (await values('input', 5))[4] === `${mode}`);
    }

    demo.killGroup('SIGINT');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(await isRefused(port)).toBe(true);
    expect(processesOf(bench.home)).toEqual([]);
    expect(readdirSync(bench.project)).toEqual([]);
  });

  it('answers diagnostic requests to its engine and its door, with values of the gateway', async () => {
    const bench = setUpWorkbench();
    const demo = runInBackground(bench, 'demo', '--port=0');
    const port = await portIn(demo);
    const asked = async (...words: string[]) => {
      const { result } = await bench.json<{ result: { values: { value: string }[] } }>(
        ...['uds', 'read', ...words],
      );
      return result.values.map(({ value }) => value);
    };
    expect(await asked('engine', 'vin')).toEqual(['WBABUSBAR00000001']);
    // The engine answers "conditions not correct" until the gateway has a value, and while a busy
    // machine lets it expire.
    const speed = (): Promise<number> =>
      asked('engine', 'engine_speed').then(
        ([value]) => Number(value),
        () => Number.NaN,
      );
    await eventually(async () => (await speed()) > 700);
    expect(await asked('door', 'serial')).toEqual(['DOOR-0001']);
    const { simulated_ecus } = (await ask({ port, path: '/api/v1/simulated-ecus' })).json();
    expect(simulated_ecus).toMatchObject([
      { ecu: 'engine', channel: 'powertrain', file: 'built-in' },
      { ecu: 'door', channel: 'door-slave', file: 'built-in' },
    ]);

    await bench.json('channel', 'close', 'powertrain');
    await bench.json('channel', 'open', 'SIM00001/0', '--name=powertrain');
    expect(await asked('engine', 'serial')).toEqual(['ENG-0001']);
    demo.kill('SIGTERM');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
  });

  itLong('starts the gateway beside a bench file that knows nothing of it', async () => {
    const bench = setUpWorkbench();
    writeFileSync(join(bench.project, 'busbar.bench.json'), '{}');
    const demo = runInBackground(bench, 'demo', '--port=0', '--format=json');
    await demo.printed('stdout', 'vehicle-gateway');
    const [gateway] = (await bench.json<{ gateways: object[] }>('gateway', 'status')).gateways;
    expect(gateway).toMatchObject({ instance: 'vehicle-gateway', state: 'running' });
    demo.kill('SIGTERM');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(readdirSync(bench.project)).toEqual(['busbar.bench.json']);
  });

  itLong('uses the next free port and says so where the one it wants is taken', async () => {
    const bench = setUpWorkbench();
    const taken = await takePort();
    const demo = runInBackground(bench, 'demo', `--port=${taken}`);
    const port = await portIn(demo);
    expect(port).toBeGreaterThan(taken);
    expect(port).toBeLessThanOrEqual(taken + 20);
    expect(demo.stdout).toContain(
      `Port ${taken} is in use; the console uses 127.0.0.1:${port} instead.`,
    );
    expect((await ask({ port, path: '/api/v1/health' })).status).toBe(200);

    demo.kill('SIGTERM');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(processesOf(bench.home)).toEqual([]);
  });

  it('does not take over a daemon that runs already', async () => {
    const bench = setUpWorkbench();
    const running = await bench.json<object>('daemon', 'start');
    expect(await bench.failure('demo', '--port=0')).toMatchObject({
      exit: 1,
      code: 'already_running',
      stdout: '',
    });
    expect(await bench.json('daemon', 'status')).toEqual(sameDaemon(running));
  });

  it.each(['65536', '-1', 'http'])('refuses port %s before it starts anything', async (port) => {
    const bench = setUpWorkbench();
    const { code, stdout, stderr } = await bench.run(['demo', `--port=${port}`]);
    expect(existsSync(bench.home)).toBe(false);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^busbar: invalid_argument: (--)?port /);
  });
});
