import { describe, expect, it } from 'vitest';
import { settingGroups } from '../../../../src/bench/change-groups.ts';
import type { Channel } from '../../api/client.ts';
import { configBody, configDraftOf, groupsOf } from './config-draft.ts';

const channel: Channel = {
  slot: 0,
  selector: 'SIM00001/0',
  uid_selector: 'sim-0000-0001/0',
  name: null,
  state: 'open',
  driver: 'virtual',
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  port: 0,
  number: 1,
  bus: 'canfd',
  mode: 'normal',
  bitrate: 500_000,
  data_bitrate: 2_000_000,
  timing: {
    nominal: { prescaler: 1, tseg1: 139, tseg2: 20, sjw: 20 },
    data: { prescaler: 1, tseg1: 29, tseg2: 10, sjw: 10 },
  },
  termination: true,
  pull_up: null,
  power: null,
  lin: null,
  restart_ms: 100,
  opened_at_us: 0,
  databases: [],
  warnings: [],
  clock_bracket_us: null,
};
const linChannel: Channel = {
  ...channel,
  bus: 'lin',
  bitrate: 19_200,
  data_bitrate: null,
  timing: null,
  lin: { role: 'master', version: '2.1', checksum: 'enhanced' },
};

describe('a change of settings', () => {
  it('begins with the settings as they are', () => {
    expect(configBody('bitrate', configDraftOf(channel), channel)).toEqual({
      bitrate: 500_000,
      data_bitrate: 2_000_000,
    });
    expect(configBody('timing', configDraftOf(channel), channel)).toEqual({
      timing: channel.timing,
    });
    expect(configBody('restart_ms', configDraftOf(channel), channel)).toEqual({ restart_ms: 100 });
    expect(configBody('lin', configDraftOf(linChannel), linChannel)).toEqual({
      lin: { version: '2.1', checksum: 'enhanced' },
    });
  });

  it('touches one group alone', () => {
    const draft = { ...configDraftOf(channel), mode: 'listen_only', termination: 'off' };
    expect(configBody('mode', draft, channel)).toEqual({ mode: 'listen_only' });
    expect(configBody('termination', draft, channel)).toEqual({ termination: false });
  });

  it('has no data phase where the bus has none', () => {
    expect(configBody('bitrate', configDraftOf(linChannel), linChannel)).toEqual({
      bitrate: 19_200,
    });
  });

  it('offers what the port can change, and everything where that is unknown', () => {
    expect([...groupsOf(null)].sort()).toEqual([...settingGroups].sort());
    const port = { capabilities: { settings: ['mode', 'bitrate'] } };
    expect(groupsOf(port as unknown as Parameters<typeof groupsOf>[0])).toEqual([
      'bitrate',
      'mode',
    ]);
  });
});
