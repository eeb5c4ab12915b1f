import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { DaemonStatus } from './daemon.ts';
import { stoppedDaemonStatus, stoppedWebStatus } from './stopped-records.ts';
import { WebStatus } from './web.ts';

const memory = {
  configuredListen: '127.0.0.1:9000',
  logLevel: 'debug',
  logDestination: '/var/log/web.log',
} as const;

describe('the record of a stopped Web service', () => {
  it('has every field of the running one and nothing else', () => {
    const status = stoppedWebStatus(memory);
    expect(Check(WebStatus, status)).toBe(true);
    expect(Object.keys(status).sort()).toEqual(Object.keys(WebStatus.properties).sort());
  });

  it('tells where the next plain start would listen, and what was configured last', () => {
    expect(stoppedWebStatus(memory)).toMatchObject({
      state: 'stopped',
      default_listen: '127.0.0.1:8080',
      listen_source: 'default',
      listen: '127.0.0.1:8080',
      configured_listen: '127.0.0.1:9000',
      effective_listen: null,
      log_level: 'debug',
      log_destination: '/var/log/web.log',
    });
  });

  it('knows of no configuration before the first one', () => {
    const status = stoppedWebStatus({ ...memory, configuredListen: null });
    expect(status).toMatchObject({ configured_listen: null, listen: '127.0.0.1:8080', url: null });
  });
});

describe('the record of a stopped daemon', () => {
  it('has every field of the running one and nothing else', () => {
    const status = stoppedDaemonStatus('/run/busbar');
    expect(Check(DaemonStatus, status)).toBe(true);
    expect(Object.keys(status).sort()).toEqual(Object.keys(DaemonStatus.properties).sort());
    expect(status).toMatchObject({ state: 'stopped', pid: null, home: '/run/busbar', threads: [] });
  });
});
