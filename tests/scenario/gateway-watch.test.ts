import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  coolantProject,
  type LooseProject,
} from '../../src/gateway/project/testing/coolant-project.ts';
import { ask, askJson } from '../support/http.ts';
import { SseClient, type SseEvent } from '../support/sse.ts';
import { eventually, Workbench } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { startInnerDaemon } from './support/inner-daemon.ts';
import { linesOf } from './support/stream-receivers.ts';

const bench = new Workbench();
let port = 0;
const path = '/api/v1/gateways';

/** The project with a settable signal, and any number of others. */
const settable = (more = 0): LooseProject => {
  const project = coolantProject();
  project.signals[2].producer = 'software';
  project.modbus_resources.pop();
  project.bindings.splice(2, 1);
  for (let index = 0; index < more; index++) {
    project.signals.push({ id: `more.${index}`, type: 'float64', producer: 'software' });
  }
  return project;
};

const load = async (instance: string, file = 'settable.gwproj'): Promise<void> => {
  const { status, text } = await askJson({ port, path, json: { file, instance } });
  expect(status, text).toBe(201);
};
const unload = (instance: string) => ask({ port, method: 'DELETE', path: `${path}/${instance}` });
const set = async (instance: string, value: string, signal = 'pump'): Promise<void> => {
  const json = { signal, value };
  const to = `${path}/${instance}/signals`;
  expect((await askJson({ port, method: 'PUT', path: to, json })).status).toBe(200);
};
const follow = (instance: string) => SseClient.open({ port, path: `${path}/${instance}/stream` });
const get = async (from: string) => (await ask({ port, path: from })).json();

/** The next event of a kind; others are skipped. */
const nextOf = async (client: SseClient, kind: string): Promise<SseEvent> => {
  let event = await client.next();
  while (event.event !== kind) event = await client.next();
  return event;
};
const signalsIn = ({ data }: SseEvent): string[] =>
  data.signals.map(({ id, value }: { id: string; value: string }) => `${id}=${value}`);

beforeAll(async () => {
  ({ port } = await bench.startWeb());
  writeFileSync(join(bench.project, 'settable.gwproj'), JSON.stringify(settable()));
  writeFileSync(join(bench.project, 'large.gwproj'), JSON.stringify(settable(3000)));
});
afterAll(() => bench.dispose());

describe('the stream of an instance', () => {
  it('has its status, all signals, and then what changes, until it is unloaded', async () => {
    await load('streamed');
    const client = await follow('streamed');
    expect(client.headers['content-type']).toBe('text/event-stream');
    const [status, all] = await client.take(2);
    expect(status).toMatchObject({
      event: 'status',
      data: { instance: 'streamed', state: 'loaded', tasks: [], task_total: 1, endpoint_total: 2 },
    });
    const { signals } = await get(`${path}/streamed/signals`);
    expect(all).toMatchObject({ event: 'signals', data: { instance: 'streamed', signals } });
    await set('streamed', '55');
    const changed = await nextOf(client, 'signals');
    expect(changed.data.signals).toEqual((await get(`${path}/streamed/signals?offset=2`)).signals);
    expect((await nextOf(client, 'status')).data).toEqual(status?.data);
    await set('streamed', '56');
    expect(signalsIn(await nextOf(client, 'signals'))).toEqual(['pump=56']);
    await unload('streamed');
    expect(await nextOf(client, 'end')).toMatchObject({ data: { reason: 'unloaded' } });
    await client.ended;
  });

  it('has many signals in several events', async () => {
    await load('large', 'large.gwproj');
    const client = await follow('large');
    const found: string[] = [];
    let events = 0;
    while (found.length < 3003) {
      found.push(...signalsIn(await nextOf(client, 'signals')));
      events += 1;
    }
    expect(found).toHaveLength(3003);
    expect(new Set(found).size).toBe(3003);
    expect(events).toBeGreaterThan(5);
    await set('large', '0.5', 'more.2999');
    expect(signalsIn(await nextOf(client, 'signals'))).toEqual(['more.2999=0.5']);
    await unload('large');
  });

  it('is refused where there is no such instance', async () => {
    const answer = await ask({ port, path: `${path}/none/stream` });
    expect(answer.status).toBe(404);
    expect(answer.json().error.code).toBe('instance_not_found');
    const question = await ask({ port, path: `${path}/none/stream?after=1` });
    expect(question.json().error).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'after' },
    });
  });

  it('counts among the streams that may be open', async () => {
    await load('crowded');
    const clients = await Promise.all(Array.from({ length: 32 }, () => follow('crowded')));
    for (const client of clients) expect((await client.next()).event).toBe('status');
    for (const one of [`${path}/crowded/stream`, '/api/v1/messages/stream']) {
      const refused = await ask({ port, path: one });
      expect(refused.status).toBe(503);
      expect(refused.json().error.code).toBe('too_many_clients');
    }
    for (const client of clients) client.close();
    await eventually(async () => {
      const client = await follow('crowded');
      client.close();
      return client.status === 200;
    });
    await unload('crowded');
  });

  it('ends with the Web service', async () => {
    const { port: mine, inner } = await setUpInner();
    const client = await SseClient.open({ port: mine, path: `${path}/inner/stream` });
    await client.take(2);
    await inner.call('web.stop');
    expect(await nextOf(client, 'end')).toMatchObject({ data: { reason: 'shut_down' } });
    await client.ended;
  });
});

/** A separate daemon with an instance `inner`. */
const setUpInner = async () => {
  const inner = await startInnerDaemon();
  const { listen } = await inner.call<{ listen: string }>('web.start', {
    listen: '127.0.0.1:0',
    log_level: 'off',
  });
  writeFileSync(join(inner.project, 'settable.gwproj'), JSON.stringify(settable()));
  await inner.call('gateway.load', { file: 'settable.gwproj', instance: 'inner' });
  return { inner, port: Number(listen.split(':')[1]) };
};

describe('gateway watch', () => {
  const watch = (...args: string[]) => bench.ask(['gateway', 'watch', '--instance=cli', ...args]);

  it('prints signals line by line, in every format', async () => {
    await load('cli');
    await set('cli', '55');
    const { code, stdout, stderr } = await watch('--count=3');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [coolant, fahrenheit, pump] = linesOf(stdout);
    expect(coolant).toBe('(never)  coolant  20 degC  (initial)');
    expect(fahrenheit).toBe('(never)  coolant_f  - degF  (initial)');
    expect(pump).toMatch(/^\(\d{10}\.\d{6}\) {2}pump {2}55$/);
    const { signals } = await get(`${path}/cli/signals`);
    for (const format of ['json', 'jsonl']) {
      const lines = linesOf((await watch('--count=3', `--format=${format}`)).stdout);
      expect(lines.map((line) => JSON.parse(line))).toEqual(signals);
    }
    const [head, first] = linesOf((await watch('--count=1', '--format=csv')).stdout);
    expect(head?.split(',').slice(0, 3)).toEqual(['id', 'type', 'producer']);
    expect(first).toContain('coolant,float64,input,degC,20');
    expect((await watch('--duration-ms=1')).code).toBe(0);
    await unload('cli');
  });

  it('follows changes, and says when the instance is unloaded', async () => {
    await load('cli');
    const command = runInBackground(bench, 'gateway', 'watch', '--instance=cli');
    await command.printed('stdout', 'pump  0');
    await set('cli', '77');
    await command.printed('stdout', 'pump  77\n');
    await unload('cli');
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect(command.stderr).toBe('end: the instance was unloaded\n');
    expect(await bench.failure('gateway', 'watch', '--instance=cli')).toMatchObject({
      code: 'instance_not_found',
      exit: 1,
    });
  });
});

describe('the graph of an instance', () => {
  it('comes in pages, and is the same from the command line', async () => {
    await load('drawn');
    const page = await get(`${path}/drawn/graph`);
    expect(page).toMatchObject({
      instance: 'drawn',
      node_total: 10,
      edge_total: 7,
      element_total: 17,
      element_offset: 0,
      element_next_offset: 17,
    });
    expect(page.elements[0]).toEqual({
      group: 'nodes',
      id: 'endpoint:powertrain',
      kind: 'endpoint',
      row: 'powertrain',
      endpoint: null,
      detail: 'CAN',
      protection: null,
    });
    expect(page.elements.at(-1)).toEqual({
      group: 'edges',
      source: 'message:PumpCommand',
      target: 'task:PumpCommand',
      binding: null,
    });
    const part = await get(`${path}/drawn/graph?offset=9&limit=2`);
    expect(part).toMatchObject({ element_offset: 9, element_next_offset: 11 });
    expect(part.elements).toEqual(page.elements.slice(9, 11));
    expect(await get(`${path}/drawn/graph?offset=99`)).toMatchObject({
      element_next_offset: 17,
      elements: [],
    });
    expect(await bench.json('gateway', 'graph', '--instance=drawn')).toEqual(page);
    for (const query of ['limit=0', 'limit=5001', 'offset=-1']) {
      expect((await ask({ port, path: `${path}/drawn/graph?${query}` })).status).toBe(400);
    }
    await unload('drawn');
    expect((await ask({ port, path: `${path}/drawn/graph` })).status).toBe(404);
  });

  it('can be had, like the stream, from a client thread that was started anew', async () => {
    const { inner, port: mine } = await setUpInner();
    const graph = await inner.call('gateway.graph', { instance: 'inner' });
    const before = await SseClient.open({ port: mine, path: `${path}/inner/stream` });
    await before.take(2);
    await inner.kill('client');
    expect(await inner.call('gateway.graph', { instance: 'inner' })).toEqual(graph);
    const client = await SseClient.open({ port: mine, path: `${path}/inner/stream` });
    const [, all] = await client.take(2);
    expect(all?.data.signals).toHaveLength(3);
  });
});

describe('metrics of instances', () => {
  it('tell state, health and counters of each, and of its first tasks', async () => {
    await load('measured');
    const { text } = await ask({ port, path: '/metrics' });
    for (const line of [
      'busbar_gateway_state{instance="measured",state="loaded"} 1',
      'busbar_gateway_healthy{instance="measured"} 1',
      'busbar_gateway_tasks{instance="measured"} 1',
      'busbar_gateway_sent_total{instance="measured"} 0',
      'busbar_gateway_pending{instance="measured"} 0',
      'busbar_gateway_rejected_frames_total{instance="measured",reason="e2e"} 0',
      'busbar_gateway_task_missed_total{instance="measured",task="PumpCommand"} 0',
      'busbar_gateway_task_error{instance="measured",task="PumpCommand"} 0',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    await unload('measured');
    expect((await ask({ port, path: '/metrics' })).text).not.toContain('measured');
  });
});

describe('what a client shows of instances', () => {
  it('comes with the stream where it asks for it, and health names them', async () => {
    await load('shown');
    const [summary] = (await get('/api/v1/health')).gateway.instances;
    expect(summary).toMatchObject({ instance: 'shown', state: 'loaded', health: 'ok' });
    expect(summary.enabled_faults).toBe(0);
    const client = await SseClient.open({
      port,
      path: `${path}/shown/stream?include=tasks&include=observed`,
    });
    const { loaded_at_us } = (await nextOf(client, 'status')).data;
    expect(loaded_at_us).toBe(summary.loaded_at_us);
    const { tasks } = (await nextOf(client, 'tasks')).data;
    expect(tasks).toMatchObject([{ id: 'PumpCommand', state: 'loaded', sent: 0 }]);
    await set('shown', '55');
    const { signals } = await get(`${path}/shown/signals`);
    const { observed_us } = signals[2];
    const reported = (event: SseEvent) => event.data.observed[0].observed_us[2];
    let event = await nextOf(client, 'observed');
    while (reported(event) === null) event = await nextOf(client, 'observed');
    expect(event.data.observed).toEqual([{ first: 0, observed_us: [null, null, observed_us] }]);
    const refused = await ask({ port, path: `${path}/shown/stream?include=all` });
    expect(refused.status).toBe(400);
    await unload('shown');
  });

  it('is a list of files inside the project, page by page', async () => {
    const listed = await get(`${path}/files?type=gwproj&limit=1`);
    expect(listed).toMatchObject({ complete: true, file_total: 2, file_next_offset: 1 });
    expect(listed.files[0]).toMatchObject({ file: 'large.gwproj' });
    const printed = await bench.json('gateway', 'files', '--type=gwproj', '--offset=1');
    expect(printed).toMatchObject({ files: [{ file: 'settable.gwproj' }], file_next_offset: 2 });
    expect((await ask({ port, path: `${path}/files?type=passwd` })).status).toBe(400);
  });

  it('is what a signal may be', async () => {
    await load('limited');
    const rules = await get(`${path}/limited/signals/pump`);
    expect(rules).toMatchObject({ id: 'pump', minimum: '0', maximum: '100', labels: [] });
    expect((await ask({ port, path: `${path}/limited/signals/none` })).status).toBe(404);
    await unload('limited');
  });
});
