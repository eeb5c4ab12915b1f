import { describe, expect, it } from 'vitest';
import type { Channel, TraceSummary } from '../../api/client.ts';
import type { ChannelMap } from './channel-map.ts';
import { type ReplayPlan, silentReplay } from './silent-replay.ts';
import { aChannel, aSummary } from './testing/summaries.ts';

const port = (slot: number, fields: Partial<Channel> = {}): Channel => ({
  slot,
  selector: `SIM00001/${slot}`,
  uid_selector: `sim-0000-0001/${slot}`,
  name: null,
  state: 'open',
  driver: 'virtual',
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  port: slot,
  number: slot + 1,
  bus: 'canfd',
  mode: 'normal',
  bitrate: 500_000,
  data_bitrate: 2_000_000,
  timing: null,
  termination: null,
  pull_up: null,
  power: null,
  lin: null,
  restart_ms: 0,
  opened_at_us: 0,
  clock_bracket_us: null,
  ...fields,
});

const sources = {
  channels: [port(0), port(1, { mode: 'listen_only' }), port(4, { bus: 'lin' })],
  networks: {},
};

const mapOf = (entries: Readonly<Record<string, string>>): ChannelMap =>
  Object.entries(entries).map(([from, to], key) => ({ key, from, to, isTyped: true }));

const file = aSummary({ channels: [aChannel(1), aChannel(2, { bus: 'lin' })] });

const silence = (entries: Readonly<Record<string, string>>, plan: Partial<ReplayPlan> = {}) =>
  silentReplay({ map: mapOf(entries), file, offsetUs: 0, isLooping: false, ...plan }, sources);

describe('a replay that would send nothing', () => {
  it.each([
    [{}, 'choose where a channel goes'],
    [{ 1: '' }, 'choose where a channel goes'],
    [{ 7: 'SIM00001/0' }, '7 is not in the file (1, 2)'],
    [{ 1: 'SIM00001/1' }, 'SIM00001/1 only listens'],
    [{ 1: 'SIM00001/4' }, 'SIM00001/4 is no CAN channel'],
    [{ 2: 'SIM00001/0' }, 'SIM00001/0 is no LIN channel'],
    [{ 7: 'SIM00001/0', 1: 'SIM00001/1' }, 'SIM00001/1 only listens; 7 is not in the file (1, 2)'],
  ])('says why for %j', (entries, reason) => {
    expect(silence(entries)).toBe(`Nothing would be sent: ${reason}`);
  });

  it('knows a channel by all of its names', () => {
    const both = aSummary({ channels: [aChannel(1), aChannel(1, { bus: 'lin' })] });
    for (const name of ['1', 'C1', 'L1']) {
      const to = name === 'L1' ? 'SIM00001/4' : 'SIM00001/0';
      expect(silence({ [name]: to }, { file: both })).toBeNull();
    }
    expect(silence({ L1: 'SIM00001/0' }, { file: both })).toContain('no LIN channel');
  });

  it('says that it begins behind the end of the file, unless it goes round', () => {
    const late = { offsetUs: 2_000_001 };
    expect(silence({ 1: 'SIM00001/0' }, late)).toBe(
      'Nothing would be sent: 1 ends before the start offset',
    );
    expect(silence({ 1: 'SIM00001/0' }, { ...late, isLooping: true })).toBeNull();
    expect(silence({ 1: 'SIM00001/0' }, { offsetUs: 2_000_000 })).toBeNull();
  });

  it('says that nothing in the file can be sent, also where no channel is mapped', () => {
    for (const entries of [{}, { 1: '' }, { 1: 'SIM00001/0' }]) {
      expect(silence(entries, { file: aSummary({ distinct_ids: 0 }) })).toBe(
        'Nothing would be sent: the file is empty',
      );
      const errors = { channels: [aChannel(1)], distinct_ids: 0, error_frames: 500 };
      expect(silence(entries, { file: aSummary(errors) })).toBe(
        'Nothing would be sent: the file holds error frames only',
      );
    }
    const partly = aSummary({ channels: [aChannel(1)], distinct_ids: 0, complete: false });
    expect(silence({ 1: 'SIM00001/0' }, { file: partly })).toBeNull();
  });

  it('says that a channel of CAN takes no frames of CAN FD, unless there are others', () => {
    const onto = (bus: Channel['bus'], buses: TraceSummary['buses']) =>
      silentReplay(
        {
          map: mapOf({ 1: 'SIM00001/0' }),
          file: aSummary({ channels: [aChannel(1)], buses }),
          offsetUs: 0,
          isLooping: false,
        },
        { channels: [port(0, { bus })], networks: {} },
      );
    expect(onto('can', { can: 0, canfd: 40, lin: 0 })).toBe(
      'Nothing would be sent: SIM00001/0 takes no CAN FD frames',
    );
    expect(onto('can', { can: 1, canfd: 40, lin: 0 })).toBeNull();
    expect(onto('canfd', { can: 0, canfd: 40, lin: 0 })).toBeNull();
  });

  it('has nothing against a replay that sends something, or may', () => {
    expect(silence({ 1: 'SIM00001/0' })).toBeNull();
    expect(silence({ 1: 'SIM00001/0', 7: 'SIM00001/0' })).toBeNull();
    expect(silence({ 7: 'SIM00001/0' }, { file: null })).toBeNull();
    expect(silence({ 7: 'SIM00001/0' }, { file: { ...file, complete: false } })).toBeNull();
  });
});
