import { describe, expect, it } from 'vitest';
import {
  checking,
  protecting,
  type Rows,
  relayProject,
  together,
} from '../../src/gateway/engine/testing/relay-project.ts';
import { rule } from '../../src/gateway/engine/testing/rules.ts';
import { eventually } from '../support/workbench.ts';
import { refusedOverHttp } from './support/channel-bench.ts';
import { peers, shareGatewayBench, wrongSums } from './support/gateway-bench.ts';
import type { Answered } from './support/transmit-bench.ts';

const bench = shareGatewayBench();

const onChange: Rows = { tx_tasks: [{ id: 'Cluster', policy: 'on_change' }] };
const setpoint: Rows = {
  signals: [
    { id: 'setpoint', type: 'uint64', producer: 'software', initial: '7' },
    { id: 'shown', producer: 'derived' },
  ],
  mappings: [{ id: 'show', inputs: ['setpoint'] }],
};
/** Sends twice the received value plus one, on change, checked and protected. */
const doubling = (...more: Rows[]) =>
  relayProject(
    together(
      protecting,
      checking,
      onChange,
      {
        // Nothing times out in between, on a machine of any speed.
        messages: [{ id: 'Engine', stale_after_ms: 0 }],
        mappings: [{ id: 'show', transform: { kind: 'linear', k: 2, b: 1 } }],
      },
      ...more,
    ),
  );
/** Sends settable values periodically, protected. */
const announcing = (...more: Rows[]) => relayProject(together(protecting, setpoint, ...more));

const refusal = async (answer: Promise<Answered>) => {
  const { status, code, details } = refusedOverHttp(await answer);
  return { status, code, field: details.field };
};

describe('a running instance', () => {
  it(
    rule('lifecycle', 'is loaded, started, stopped and unloaded; what does not fit is refused'),
    async () => {
      expect(await bench.load('life', doubling())).toMatchObject({ state: 'loaded', health: 'ok' });
      expect(await bench.stopInstance('life')).toMatchObject({ state: 'loaded' });
      expect(await bench.startInstance('life')).toMatchObject({
        state: 'running',
        health: 'ok',
        endpoints: [
          { id: 'in', resolved: 'SIM00001/0', connected: true, error: null },
          { id: 'out', resolved: 'SIM00001/2', connected: true, error: null },
        ],
        tasks: [{ id: 'Cluster', state: 'running', policy: 'on_change', error: null }],
      });
      expect(await refusal(bench.tryStart('life'))).toMatchObject({
        status: 409,
        code: 'instance_running',
      });
      expect(await refusal(bench.delete('gateways/life'))).toMatchObject({
        status: 409,
        code: 'instance_running',
      });
      expect(await bench.instance('life')).toMatchObject({ state: 'running' });
      expect(await bench.stopInstance('life')).toMatchObject({ state: 'stopped' });
      expect(await bench.stopInstance('life')).toMatchObject({ state: 'stopped' });
      await bench.unload('life');
      expect(await refusal(bench.tryStart('life'))).toMatchObject({
        status: 404,
        code: 'instance_not_found',
      });
    },
  );

  it('hands frames from one segment to the other, transformed and protected', async () => {
    await bench.runProject('relay', doubling());
    const after = await bench.newest();
    await bench.feed('05 00 05');
    expect(await bench.receivedData(1, after)).toEqual(['0B000B']);
    expect(await bench.signal('relay', 'shown')).toMatchObject({
      value: '11',
      valid: true,
      bindings: [{ id: 'shown.tx', raw: '11', valid: true, error: null }],
    });
    // An unchanged value is not sent. A failed check makes the signal invalid, for which no raw
    // value is defined.
    await bench.feed('05 01 04');
    await bench.feed('06 02 FF');
    const failing = await bench.untilInstance(
      'relay',
      ({ rejected_frames }) => rejected_frames.e2e === 1,
    );
    const failed = { health: 'degraded', failed_checks: 1, failed_check_messages: ['Engine'] };
    expect(failing).toMatchObject(failed);
    expect((await bench.status('health')).gateway.instances).toMatchObject([
      { health: 'degraded' },
    ]);
    await bench.feed('06 02 04');
    expect(await bench.receivedData(3, after)).toEqual(['0B000B', '0B010A', '0D020F']);
    const record = await bench.untilInstance('relay', ({ sent }) => sent === 3);
    expect(record).toMatchObject({ accepted: 3, pending: 0, failed: 0, health: 'ok' });
    expect(record).toMatchObject({ failed_checks: 0, failed_check_messages: [] });
    expect(record.tasks[0].completion_wait_us).toMatchObject({ count: 3, window: 3 });
    await bench.clear('relay');
  });

  it('sends what is set while it runs, and in its period', async () => {
    await bench.runProject('setpoint', announcing());
    const after = await bench.newest();
    expect((await bench.set('setpoint', 'setpoint', '9')).json()).toMatchObject({
      value: '9',
      valid: true,
    });
    await eventually(async () =>
      (await bench.receivedSoFar(peers.out, after)).some(({ data }) => data.startsWith('09')),
    );
    expect(await refusal(bench.set('setpoint', 'shown', '1'))).toMatchObject({
      status: 409,
      code: 'signal_not_writable',
    });
    await bench.clear('setpoint');
  });

  it(
    rule(
      'counter over stop',
      'goes on with counters and statistics after stop and start; a load begins anew',
    ),
    async () => {
      await bench.runProject('counted', doubling());
      const after = await bench.newest();
      await bench.feed('05 00 05');
      await bench.receivedData(1, after);
      await bench.untilInstance('counted', ({ sent }) => sent === 1);
      await bench.stopInstance('counted');
      expect(await bench.startInstance('counted')).toMatchObject({ accepted: 1, sent: 1 });
      await bench.feed('05 09 0C');
      expect(await bench.receivedData(2, after)).toEqual(['0B000B', '0B010A']);
      await bench.untilInstance('counted', ({ sent }) => sent === 2);
      await bench.clear('counted');
      expect(await bench.runProject('counted', doubling())).toMatchObject({ accepted: 0, sent: 0 });
      await bench.feed('05 00 05');
      expect(await bench.receivedData(3, after)).toEqual(['0B000B', '0B010A', '0B000B']);
      await bench.clear('counted');
    },
  );
});

describe('a start', () => {
  const conflictOf = async (answer: Promise<Answered>) => {
    const { status, code, details } = refusedOverHttp(await answer);
    return { status, code, conflicts: details.conflicts };
  };

  it(
    rule(
      'owner of either format',
      'is refused as a whole where another instance sends, classic or FD, and works when that has stopped',
    ),
    async () => {
      await bench.runProject('owner', announcing());
      const other = {
        id: 'Other',
        endpoint: 'out',
        direction: 'tx',
        can_id: 1,
        length: 1,
        period_ms: 20,
      };
      await bench.load(
        'rival',
        announcing({
          messages: [{ id: 'Cluster', fd: true }, other],
          tx_tasks: [{ id: 'Other', message: 'Other' }],
        }),
      );
      expect(await conflictOf(bench.tryStart('rival'))).toEqual({
        status: 409,
        code: 'output_conflict',
        conflicts: [
          {
            task: 'Cluster',
            owner: { instance: 'owner', task: 'Cluster' },
            channel: 'SIM00001/2',
            can_id: 0x200,
            extended: false,
          },
        ],
      });
      expect(await bench.instance('rival')).toMatchObject({ state: 'loaded', accepted: 0 });
      expect(await bench.instance('owner')).toMatchObject({ state: 'running', health: 'ok' });
      await bench.stopInstance('owner');
      expect(await bench.startInstance('rival')).toMatchObject({ state: 'running' });
      expect(await conflictOf(bench.tryStart('owner'))).toMatchObject({
        code: 'output_conflict',
        conflicts: [{ owner: { instance: 'rival' } }],
      });
      expect(await bench.instance('owner')).toMatchObject({ state: 'stopped' });
      await bench.clear('rival', 'owner');
    },
  );

  it(
    rule('output owner', 'is refused where a simulation sends, or its own endpoints meet'),
    async () => {
      const manifest = {
        manifest: 1,
        name: 'restbus',
        channel: 'SIM00001/2',
        messages: [{ id: 0x200, extended: false, data: 'CAFE', period_ms: 10 }],
      };
      bench.write('restbus.json', JSON.stringify(manifest));
      await bench.json('simulation', 'load', 'restbus.json');
      await bench.json('simulation', 'start', 'restbus');
      await bench.load('late', announcing());
      expect(await conflictOf(bench.tryStart('late'))).toMatchObject({
        code: 'output_conflict',
        conflicts: [{ task: 'Cluster', owner: { instance: 'restbus', task: 'messages[0]' } }],
      });
      await bench.json('simulation', 'stop', 'restbus');
      await bench.startInstance('late');
      expect((await bench.failure('simulation', 'start', 'restbus')).code).toBe('output_conflict');
      await bench.json('simulation', 'unload', 'restbus');
      await bench.clear('late');
      await bench.load(
        'twice',
        announcing({
          endpoints: [{ id: 'same', kind: 'can', network: 'out' }],
          messages: [
            {
              id: 'Twin',
              endpoint: 'same',
              direction: 'tx',
              can_id: 0x200,
              length: 1,
              period_ms: 20,
            },
          ],
          tx_tasks: [{ id: 'Twin', message: 'Twin' }],
        }),
      );
      expect(await conflictOf(bench.tryStart('twice'))).toMatchObject({
        code: 'output_conflict',
        conflicts: [{ task: 'Twin', owner: { instance: 'twice', task: 'Cluster' } }],
      });
      await bench.unload('twice');
    },
  );

  it('is refused where the bench has no such channel', async () => {
    const refusedOn = async (network: string, more: Rows = {}) => {
      await bench.load('homeless', announcing({ endpoints: [{ id: 'out', network }] }, more));
      const { code, details } = refusedOverHttp(await bench.tryStart('homeless'));
      expect(await bench.instance('homeless')).toMatchObject({ state: 'loaded' });
      await bench.unload('homeless');
      return { code, ...details };
    };
    for (const network of ['spare', 'nowhere']) {
      expect(await refusedOn(network)).toMatchObject({
        code: 'network_unbound',
        channel: network,
        endpoint: 'out',
      });
    }
    expect(await refusedOn('door')).toMatchObject({
      code: 'unsupported_by_hardware',
      project_field: 'network',
    });
    await bench.remove('SIM00001/2');
    expect(await refusedOn('out')).toMatchObject({ code: 'channel_not_open', channel: 'out' });
    await bench.open('SIM00001/2', { bus: 'can' });
    expect(await refusedOn('out', { messages: [{ id: 'Cluster', fd: true }] })).toMatchObject({
      code: 'unsupported_by_hardware',
      field: 'fd',
      task: 'Cluster',
    });
    await bench.remove('SIM00001/2');
    await bench.open('SIM00001/2');
  });

  it('is refused for each kind of plugin whose library is not there', async () => {
    const plugin = { id: 'lib', library: 'plugins/lib.so', entry: 'run' };
    const native = { id: 'own', kind: 'native', plugin: 'lib' };
    const refusedWith = async (rows: Rows) => {
      await bench.load('later', relayProject(rows));
      const { code, details } = refusedOverHttp(await bench.tryStart('later'));
      expect(await bench.instance('later')).toMatchObject({ state: 'loaded' });
      await bench.unload('later');
      return { code, details };
    };
    const protect = { id: 'protect', message: 'Cluster', direction: 'protect', codec: 'own' };
    for (const rows of [
      { plugins: [{ ...plugin, kind: 'e2e' }], codecs: [native], e2e: [protect] },
      {
        plugins: [{ ...plugin, kind: 'transformation' }],
        mappings: [{ id: 'show', transform: { kind: 'native', plugin: 'lib' } }],
      },
      {
        plugins: [{ ...plugin, kind: 'codec' }],
        codecs: [{ ...native, bit_length: 8 }],
        bindings: [{ id: 'shown.tx', codec: 'own' }],
      },
      { plugins: [{ ...plugin, kind: 'processor', inputs: ['speed'] }] },
    ]) {
      expect(await refusedWith(rows)).toMatchObject({ code: 'plugin_failed' });
    }
  });
});

describe('a channel that is closed', () => {
  it('disconnects inputs and fails tasks, and all goes on when it is open again', async () => {
    await bench.runProject('torn', doubling());
    await bench.runProject(
      'other',
      announcing({
        messages: [
          { id: 'Cluster', can_id: 0x300 },
          { id: 'Engine', endpoint: 'out' },
        ],
        endpoints: [{ id: 'in', network: 'out' }],
      }),
    );
    await bench.feed('05 00 05');
    await bench.untilInstance('torn', ({ sent }) => sent === 1);
    await bench.remove('SIM00001/0');
    expect(await bench.signal('torn', 'speed')).toMatchObject({
      value: '5',
      valid: false,
      quality: 'disconnected',
    });
    expect(await bench.instance('torn')).toMatchObject({
      state: 'running',
      health: 'degraded',
      endpoints: [
        { id: 'in', resolved: 'SIM00001/0', connected: false, error: { code: 'channel_not_open' } },
        { id: 'out', connected: true, error: null },
      ],
    });
    await bench.remove('SIM00001/2');
    expect(await bench.instance('torn')).toMatchObject({
      failed_tasks: 1,
      tasks: [{ error: { code: 'channel_not_open' } }],
    });
    await bench.open('SIM00001/0');
    await bench.open('SIM00001/2');
    const after = await bench.newest();
    await bench.feed('06 01 07');
    await eventually(async () =>
      (await bench.receivedSoFar(peers.out, after)).some(({ data }) => data.startsWith('0D')),
    );
    expect(
      await bench.untilInstance(
        'torn',
        ({ failed_tasks, health }) => failed_tasks === 0 && health === 'ok',
      ),
    ).toMatchObject({ state: 'running', health: 'ok' });
    await bench.clear('torn', 'other');
  });

  it('is nothing to instances on other channels', async () => {
    await bench.runProject('calm', announcing({ endpoints: [{ id: 'in', network: 'out' }] }));
    await bench.untilInstance('calm', ({ sent }) => sent > 0);
    await bench.remove('SIM00001/0');
    const { accepted } = await bench.instance('calm');
    expect(await bench.untilInstance('calm', ({ sent }) => sent > accepted)).toMatchObject({
      health: 'ok',
      failed_tasks: 0,
      failed: 0,
    });
    await bench.open('SIM00001/0');
    await bench.clear('calm');
  });
});

describe('fault rules', () => {
  it('are listed and switched while the instance runs, and saved as they are then', async () => {
    await bench.runProject(
      'faulty',
      doubling({
        fault_rules: [
          { id: 'quiet', task: 'Cluster', kind: 'suppress' },
          {
            id: 'noise',
            task: 'Cluster',
            kind: 'xor_byte',
            byte_offset: 2,
            mask: 255,
            enabled: true,
            count: 1,
          },
        ],
      }),
    );
    const after = await bench.newest();
    await bench.feed('05 00 05');
    expect(await bench.receivedData(1, after)).toEqual(['0B00F4']);
    const faults = await bench.json<Answered>('gateway', 'faults', '--instance=faulty');
    expect(faults).toMatchObject({ fault_total: 2, fault_next_offset: 2 });
    expect(faults.faults).toMatchObject([
      { id: 'quiet', enabled: false, fired: 0 },
      { id: 'noise', enabled: true, fired: 1 },
    ]);
    const enable = ['gateway', 'fault', '--instance=faulty', '--rule=quiet', '--enabled=true'];
    expect(await bench.json(...enable)).toMatchObject({ id: 'quiet', enabled: true, fired: 0 });
    await bench.feed('06 01 07');
    await bench.untilInstance('faulty', ({ suppressed }) => suppressed === 1);
    expect(await bench.receivedData(1, after)).toEqual(['0B00F4']);
    await bench.untilInstance('faulty', ({ sent }) => sent === 1);
    const list = ['gateway', 'fault-events', '--instance=faulty'];
    const { fault_events, ...bounds } = await bench.json<Answered>(...list);
    expect(bounds).toEqual({
      ...{
        instance: 'faulty',
        state: 'running',
        next_after: 2,
        oldest_available: 1,
        newest_available: 2,
      },
    });
    expect(fault_events).toMatchObject([
      { sequence: 1, rule: 'noise', effect: 'injected', data: '0B00F4', selector: 'SIM00001/2' },
      { sequence: 2, rule: 'quiet', effect: 'suppressed', data: null, event_id: null },
    ]);
    const [{ event_id, channel, id }] = fault_events;
    const { events } = await bench.status(`messages/history?after=${event_id - 1}&limit=1`);
    const sent = { kind: 'tx_complete', event_id, channel, id, data: '0B00F4' };
    expect(events).toMatchObject([sent]);
    expect(await bench.status('gateways/faulty/faults/events?after=1&limit=5')).toMatchObject({
      fault_events: [{ sequence: 2 }],
      next_after: 2,
    });
    const gone = await bench.failure(...list, '--after=3');
    expect(gone).toMatchObject({ code: 'cursor_expired', details: { newest_available: 2 } });
    expect(await bench.failure(...list, '--after=900')).toMatchObject({
      code: 'cursor_expired',
      message: expect.stringMatching(/^The cursor 900 is ahead of the newest fault event: /),
    });
    await bench.post('/api/v1/gateways/faulty/save', { file: 'switched.gwproj' });
    expect(JSON.parse(bench.read('switched.gwproj')).fault_rules).toMatchObject([
      { id: 'quiet', enabled: true },
      { id: 'noise', enabled: true },
    ]);
    expect(
      await bench.failure('gateway', 'fault', '--instance=faulty', '--rule=none', '--enabled=true'),
    ).toMatchObject({ code: 'fault_rule_not_found', details: { field: 'rule' } });
    await bench.clear('faulty');
  });
});

describe('the command line', () => {
  it(rule('same instances', 'starts and stops an instance by either name'), async () => {
    await bench.load('named', announcing());
    const started = await bench.json<Answered>('simulation', 'start', '--instance=named');
    expect(started).toMatchObject({ instance: 'named', state: 'running' });
    expect((await bench.failure('gateway', 'start', '--instance=named')).code).toBe(
      'instance_running',
    );
    expect(await bench.json('simulation', 'stop', '--instance=named')).toMatchObject({
      state: 'stopped',
    });
    expect(await bench.json('gateway', 'start', '--instance=named')).toMatchObject({
      state: 'running',
    });
    expect(await bench.json('gateway', 'stop', '--instance=named')).toMatchObject({
      state: 'stopped',
    });
    await bench.json('gateway', 'unload', '--instance=named');
  });

  it(
    rule(
      'output formats',
      'prints text, one object as json and jsonl, and paths with exact values as csv',
    ),
    async () => {
      await bench.load(
        'printed',
        announcing({ signals: [{ id: 'setpoint', initial: '18446744073709551615' }] }),
      );
      const print = async (...format: string[]) => {
        const { stdout } = await bench.ask(['gateway', 'signals', '--instance=printed', ...format]);
        return stdout;
      };
      const page = await bench.status('gateways/printed/signals');
      expect(JSON.parse(await print('--format=json'))).toEqual(page);
      const lines = (await print('--format=jsonl')).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual([page]);
      const [head, ...rows] = (await print('--format=csv')).trimEnd().split('\n');
      expect(head).toBe('path,value');
      const place = page.signals.findIndex(({ id }: Answered) => id === 'setpoint');
      expect(rows).toContain(`signals[${place}].value,18446744073709551615`);
      expect(rows.every((row) => row.includes(','))).toBe(true);
      expect(await print()).toContain('setpoint');
      await bench.unload('printed');
    },
  );
});

describe('an instance whose frames nobody acknowledges', () => {
  it(
    rule('unconfirmed', 'has one of them under way, and that is unconfirmed when it stops'),
    async () => {
      await bench.remove(peers.out);
      await bench.runProject('alone', announcing());
      const polled: Answered[] = [];
      await bench.untilInstance('alone', (record) => {
        polled.push(record);
        return record.missed > 5;
      });
      expect(polled.at(-1)).toMatchObject({
        accepted: 1,
        sent: 0,
        failed: 0,
        pending: 1,
        unconfirmed: 0,
      });
      const stop = bench.stopInstance('alone');
      await bench.untilInstance('alone', (record) => {
        polled.push(record);
        return record.state !== 'running';
      });
      const set = bench.set('alone', 'setpoint', '9');
      await set;
      // It stops for a second: values received before are accepted again.
      if ((await bench.instance('alone')).state === 'stopping') {
        expect(await refusal(set)).toMatchObject({ status: 409, code: 'instance_running' });
      }
      await bench.untilInstance('alone', (record) => {
        polled.push(record);
        return record.state === 'stopped';
      });
      expect(await stop).toMatchObject({
        accepted: 1,
        sent: 0,
        failed: 0,
        pending: 1,
        unconfirmed: 1,
      });
      expect(polled.flatMap(wrongSums)).toEqual([]);
      await bench.unload('alone');
      await bench.open(peers.out);
    },
  );
});
