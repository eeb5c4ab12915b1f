import { describe, expect, it } from 'vitest';
import type { GatewayInstance, GatewayTask } from '../../api/client.ts';
import { countText, healthReasons, memoryText } from './health-reasons.ts';

describe('limits of instances', () => {
  it('are those that the service tells, and left out before', () => {
    const memory = { memory_budget_bytes: 28_262, daemon_memory_budget_bytes: 28_262 };
    expect(memoryText(memory, 256 * 1024 ** 2)).toBe(
      '27.6 KiB; all instances: 27.6 KiB of 256 MiB',
    );
    expect(memoryText(memory, null)).toBe('27.6 KiB; all instances: 27.6 KiB');
    expect([countText(1, 16), countText(1, null)]).toEqual(['1 of 16', '1']);
  });
});

const endpoint = {
  id: 'plc',
  kind: 'modbus',
  network: 'plant',
  resolved: 'tcp:127.0.0.1:502',
  connected: false,
  error: { code: 'modbus_unreachable', message: 'Connection refused' },
};

const status = (part: object): GatewayInstance =>
  ({
    instance: 'relay',
    state: 'running',
    failed_tasks: 0,
    failed_checks: 0,
    failed_check_messages: [],
    endpoints: [],
    ...part,
  }) as unknown as GatewayInstance;

const task = (id: string, message: string | null): GatewayTask =>
  ({ id, error: message && { code: 'tx_failed', message, timestamp_us: 1 } }) as never;

describe('healthReasons', () => {
  it('are none for an instance that is well', () => {
    expect(healthReasons(status({}), [task('a', null)], 0)).toEqual([]);
  });

  it('name an endpoint that is down, unless nothing runs', () => {
    const [reason] = healthReasons(status({ endpoints: [endpoint] }), [], 0);
    expect(reason?.text).toBe(
      'Endpoint plc (modbus network plant, tcp:127.0.0.1:502) is down: Connection refused',
    );
    expect(reason?.href).toBe('#modbus');
    expect(healthReasons(status({ state: 'stopped', endpoints: [endpoint] }), [], 0)).toEqual([]);
  });

  it('lead to the channel of an endpoint that is down', () => {
    const down = { ...endpoint, kind: 'can', resolved: 'SIM00001/0' };
    const [reason] = healthReasons(status({ endpoints: [down] }), [], 0);
    expect(reason?.href).toBe('#channels?channel=SIM00001%2F0');
  });

  it('name messages that fail their E2E check, and count the others', () => {
    const failed = { failed_checks: 3, failed_check_messages: ['Brake', 'Wheels'] };
    const reasons = healthReasons(status(failed), [], 0);
    expect(reasons.map(({ text }) => text)).toEqual([
      'Message Brake fails its E2E check',
      'Message Wheels fails its E2E check',
      '1 more message with a failed E2E check',
    ]);
    expect(reasons[0]).toMatchObject({ tone: 'bad', href: '#gateway-signals?instance=relay' });
  });

  it('name the first tasks with an error, and count the others', () => {
    const tasks = Array.from({ length: 7 }, (_, at) => task(`t${at}`, 'No acknowledge'));
    const reasons = healthReasons(status({ failed_tasks: 9 }), tasks, 0);
    expect(reasons).toHaveLength(6);
    expect(reasons[0]?.text).toBe('Task t0: No acknowledge (tx_failed)');
    expect(reasons[5]?.text).toBe('4 more tasks with an error');
  });

  it('count tasks that are not known by name', () => {
    expect(healthReasons(status({ failed_tasks: 1 }), [], 0)[0]?.text).toBe('1 task with an error');
  });

  it('tell of faults that are switched on', () => {
    const [reason] = healthReasons(status({}), [], 2);
    expect(reason).toMatchObject({ text: '2 fault rules enabled', href: '#faults?instance=relay' });
  });
});
