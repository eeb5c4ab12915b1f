import { describe, expect, it } from 'vitest';
import { BusbarError, type ErrorRecord } from '../base/errors/busbar-error.ts';
import { channelOpen } from '../operations/channel.ts';
import { type CliCommand, renderCliTable } from '../operations/render/cli-table.ts';
import { channelOptionOf } from './daemon-start.ts';

const command = renderCliTable([channelOpen]).commands[0] as CliCommand;

const refusalOf = (text: string): ErrorRecord => {
  try {
    channelOptionOf(text, command);
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown.toRecord();
    throw thrown;
  }
  throw new Error(`${text} was taken`);
};

describe('channelOptionOf', () => {
  it.each<[text: string, values: object]>([
    ['SIM00001/0', { channel: 'SIM00001/0' }],
    ['powertrain', { channel: 'powertrain' }],
    [
      'SIM00001/0,bitrate=500000,lin.role=master,name=pt',
      { channel: 'SIM00001/0', bitrate: 500_000, lin: { role: 'master' }, name: 'pt' },
    ],
    [
      'SIM00001/0,data-bitrate=2000000,termination,power=false',
      { channel: 'SIM00001/0', data_bitrate: 2_000_000, termination: true, power: false },
    ],
    [
      'a/1,timing.nominal.prescaler=5,timing.nominal.tseg1=27,timing.nominal.tseg2=4,timing.nominal.sjw=4',
      { channel: 'a/1', timing: { nominal: { prescaler: 5, tseg1: 27, tseg2: 4, sjw: 4 } } },
    ],
  ])('reads %s', (text, values) => {
    expect(channelOptionOf(text, command)).toEqual(values);
  });

  it.each<[text: string, field: string, message: string]>([
    ['', 'channel', '--channel must not be empty'],
    [',bitrate=1', 'channel', '--channel must not be empty'],
    ['a/0,', 'channel', '--channel has an extra comma'],
    ['a/0,bitrate=fast', 'channel.bitrate', 'bitrate of --channel must be a bit rate'],
    ['a/0,bitrate=0', 'channel.bitrate', 'bitrate of --channel must be at least 1'],
    ['a/0,bitrate=1,bitrate=2', 'channel.bitrate', 'bitrate of --channel is given more than once'],
    ['a/0,lin.foo=1', 'channel.lin.foo', 'lin.foo of --channel is not a known field'],
    ['a/0,channel=b/1', 'channel.channel', 'channel of --channel is not a known field'],
    ['a/0,mode', 'channel.mode', 'mode of --channel needs a value'],
  ])('names the field at fault in %j', (text, field, message) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ code: 'invalid_argument', details: { field } });
    expect(refusal.message.startsWith(message)).toBe(true);
  });
});
