import { describe, expect, it } from 'vitest';
import type { Health } from '../api/client.ts';
import { healthProblems } from './health-problems.ts';

const onTime = { count: 0, p50: 0, p99: 0, p999: 0, max: 0 };

const well: Health = {
  status: 'ok',
  time_us: 0,
  daemon: {
    status: 'ok',
    pid: 1,
    uptime_us: 0,
    realtime: 'off',
    threads: [{ name: 'client', state: 'running', restarts: 0, last_failure: null }],
    scheduler: { tasks: 0, lateness_us: onTime, last_minute_lateness_us: onTime },
  },
  web: { status: 'ok', listen: '', clients: 1, requests: 1, log_records_dropped: 0 },
  broker: { status: 'ok', channels: 1, impaired: [] },
  plugins: { status: 'ok', unresponsive: null },
  recording: { recorders: [] },
  gateway: { instances: [] },
};

describe('the problems of a service', () => {
  it('name the plugin that is not responding', () => {
    const unresponsive = { instance: 'relay', plugin: 'filter' };
    const ill: Health = {
      ...well,
      status: 'degraded',
      plugins: { status: 'degraded', unresponsive },
    };
    expect(healthProblems(ill)).toEqual([
      { text: 'Plugin filter of relay is not responding', href: '#instances?instance=relay' },
    ]);
  });

  it('are none while it is well', () => {
    expect(healthProblems(well)).toEqual([]);
  });

  it('name every part that is not', () => {
    const ill: Health = {
      ...well,
      status: 'degraded',
      daemon: {
        ...well.daemon,
        status: 'degraded',
        threads: [{ name: 'loader', state: 'restarting', restarts: 1, last_failure: null }],
      },
      web: { ...well.web, status: 'degraded', log_records_dropped: 1 },
      broker: {
        status: 'degraded',
        channels: 1,
        impaired: [{ selector: 'SIM00001/0', state: 'bus_off' }],
      },
    };
    expect(healthProblems(ill)).toEqual([
      { text: 'Channel SIM00001/0 is bus off', href: '#channels?channel=SIM00001%2F0' },
      { text: 'Thread loader is restarting', href: '#channels' },
      { text: '1 log record was dropped', href: '#channels' },
    ]);
  });

  it('say something even where no part stands out', () => {
    expect(healthProblems({ ...well, status: 'degraded' })).toEqual([
      { text: 'A component reports an error', href: '#channels' },
    ]);
  });
});
