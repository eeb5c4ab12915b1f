import { describe, expect, it } from 'vitest';
import type { ChannelReport, DaemonHealth } from './reports.ts';
import { serviceHealth } from './service-health.ts';

const channel = (state: string) => ({ record: { selector: 'SIM00001/0', state } }) as ChannelReport;
const web = {
  status: () => ({ state: 'stopped', effective_listen: null }) as never,
  isLogSound: true,
  clients: 0,
  logRecordsDropped: 0,
};
const daemon = { status: 'ok' } as DaemonHealth;
const healthy = {
  nowUs: 7,
  daemon,
  channels: [channel('open')],
  instances: [],
  recorders: [],
  web,
  requests: 3,
  hung: null,
};

describe('serviceHealth', () => {
  it('is ok where all parts are, and a stopped Web service is no fault', () => {
    expect(serviceHealth(healthy)).toMatchObject({
      status: 'ok',
      time_us: 7,
      web: { status: 'stopped', requests: 3 },
      broker: { status: 'ok', channels: 1, impaired: [] },
    });
  });

  it.each([
    ['a channel that is bus off', { channels: [channel('bus_off')] }],
    ['a channel whose device is gone', { channels: [channel('lost')] }],
    ['a log that cannot be written', { web: { ...web, isLogSound: false } }],
    ['a plugin that does not return', { hung: { instance: 'a', plugin: 'b' } }],
    ['a thread that is being restarted', { daemon: { status: 'degraded' } as DaemonHealth }],
  ])('is degraded by %s', (_, fault) => {
    expect(serviceHealth({ ...healthy, ...fault }).status).toBe('degraded');
  });
});
