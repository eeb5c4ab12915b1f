import { describe, expect, it } from 'vitest';
import { ServiceManager, watchdogPeriodUs } from './service-manager.ts';

const process = { pid: 20, ppid: 10 };

describe('the period of the watchdog', () => {
  it('is a third of the limit', () => {
    expect(watchdogPeriodUs({ WATCHDOG_USEC: '30000000' }, process)).toBe(10_000_000);
  });

  it.each(['10', '20'])('is that of process %s, which is ours', (pid) => {
    expect(watchdogPeriodUs({ WATCHDOG_USEC: '3000', WATCHDOG_PID: pid }, process)).toBe(1000);
  });

  it.each([
    [{}],
    [{ WATCHDOG_USEC: '' }],
    [{ WATCHDOG_USEC: '0' }],
    [{ WATCHDOG_USEC: '-3' }],
    [{ WATCHDOG_USEC: 'soon' }],
    [{ WATCHDOG_USEC: '3000', WATCHDOG_PID: '11' }],
  ])('is none with %j', (env) => {
    expect(watchdogPeriodUs(env, process)).toBeNull();
  });
});

describe('a service manager', () => {
  it('is told in the words of sd_notify', () => {
    const sent: string[] = [];
    const manager = new ServiceManager((text) => sent.push(text));
    manager.ready();
    manager.alive();
    manager.reloading(1234.5);
    manager.stopping();
    expect(sent).toEqual([
      'READY=1\nSTATUS=Serving callers',
      'WATCHDOG=1',
      'RELOADING=1\nMONOTONIC_USEC=1234',
      'STOPPING=1\nSTATUS=Stopping',
    ]);
  });
});
