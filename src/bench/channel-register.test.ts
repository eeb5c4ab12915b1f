import { describe, expect, it } from 'vitest';
import { ChannelRegister, maxOpenChannels } from './channel-register.ts';

const wanted = (port: number, name: string | null = null) => ({
  name,
  driver: 'virtual',
  sn: 'A',
  uid: 'a',
  port,
  number: port + 1,
});

const details = { channel: 'as submitted' };

describe('ChannelRegister', () => {
  it('counts slots up and uses none of them again', () => {
    const register = new ChannelRegister();
    expect(register.reserve(wanted(0), details).slot).toBe(0);
    expect(register.reserve(wanted(1), details).slot).toBe(1);
    register.release(0);
    register.release(1);
    expect(register.reserve(wanted(0), details).slot).toBe(2);
  });

  it('gives a port to one at a time', () => {
    const register = new ChannelRegister();
    register.reserve(wanted(0), details);
    expect(() => register.reserve(wanted(0), details)).toThrow(
      expect.objectContaining({
        code: 'already_exists',
        details: { channel: 'as submitted', slot: 0 },
      }),
    );
    expect(register.isInUse('A')).toBe(true);
    register.release(0);
    expect(register.isInUse('A')).toBe(false);
    expect(register.reserve(wanted(0), details).slot).toBe(1);
  });

  it('gives a name to one at a time', () => {
    const register = new ChannelRegister();
    register.reserve(wanted(0, 'engine'), details);
    expect(register.isNameFree('engine')).toBe(false);
    expect(() => register.reserve(wanted(1, 'engine'), details)).toThrow(
      expect.objectContaining({
        code: 'already_exists',
        details: { field: 'name', name: 'engine', channel: 'as submitted' },
      }),
    );
    register.release(0);
    expect(register.reserve(wanted(1, 'engine'), details).name).toBe('engine');
  });

  it('takes no more channels than can be open at once, those being opened included', () => {
    const register = new ChannelRegister();
    for (let port = 0; port < maxOpenChannels; port++) register.reserve(wanted(port), details);
    expect(() => register.reserve(wanted(maxOpenChannels), details)).toThrow(
      expect.objectContaining({ code: 'capacity_exceeded', details: { limit: 64 } }),
    );
    register.release(7);
    expect(register.reserve(wanted(maxOpenChannels), details).slot).toBe(64);
  });

  it('has no slot above what two bytes can say', () => {
    const register = new ChannelRegister(65_535);
    expect(register.reserve(wanted(0), details).slot).toBe(65_535);
    expect(() => register.reserve(wanted(1), details)).toThrow(
      expect.objectContaining({ code: 'capacity_exceeded', details: { limit: 65_536 } }),
    );
  });

  it('does not find a channel that is only being opened', () => {
    const register = new ChannelRegister();
    register.reserve(wanted(0, 'engine'), details);
    expect(register.channelIn(0)).toBeUndefined();
    expect(register.channelAt('A', 0)).toBeUndefined();
    expect(register.channelNamed('engine')).toBeUndefined();
    expect(register.channels).toEqual([]);
  });
});
