import { describe, expect, it } from 'vitest';
import { send, setUp, until } from './testing/adapter-rig.ts';
import { dialects } from './testing/emulated-adapter.ts';

describe('an slcan adapter that has not answered', () => {
  it('is asked who it is before it gets frames again, whatever bells come late', async () => {
    /**
     * Commands received after its return; undefined if slow wires lost it, or caused a repeat.
     */
    const wake = async (): Promise<readonly string[] | undefined> => {
      const { socket, adapter, events, channel } = await setUp();
      const isLost = (): boolean => events.presence.length > 0;
      adapter.isHung = true;
      send(channel, 1);
      await until(() => (events.failedFrames === 1 && adapter.ignored.includes('V')) || isLost());
      adapter.isHung = false;
      adapter.commands.length = 0;
      socket.say('\x07');
      send(channel, 2);
      await until(() => events.completed.length === 1 || isLost());
      const commands = adapter.commands.filter((command) => command !== 'F');
      if (isLost() || commands.filter((command) => command === 'V').length > 1) return undefined;
      expect(events.completed).toMatchObject([{ id: 2 }]);
      expect(events.failedFrames).toBe(1);
      return commands;
    };
    let commands: readonly string[] | undefined;
    while (!commands) commands = await wake();
    expect(commands).toEqual(['V', 't00220102']);
  });

  it('is asked who it is before it gets other settings, where a frame was not answered', async () => {
    /** Commands received after it answered again; undefined if slow wires lost it. */
    const change = async (): Promise<readonly string[] | undefined> => {
      const { adapter, events, channel } = await setUp();
      adapter.isHung = true;
      send(channel, 1);
      await until(() => adapter.ignored.length > 0);
      const configured = channel.configure({ group: 'bitrate', bitrate: 125_000 });
      const outcome = configured.then(
        () => 'configured',
        () => 'refused',
      );
      await until(() => adapter.ignored.includes('V') || events.presence.length > 0);
      adapter.isHung = false;
      adapter.commands.length = 0;
      if ((await outcome) === 'refused' || events.presence.length > 0) return undefined;
      expect(channel.settings.bitrate).toBe(125_000);
      return adapter.commands.filter((command) => command !== 'F');
    };
    let commands: readonly string[] | undefined;
    while (!commands) commands = await change();
    expect([commands[0], commands.includes('S4')]).toEqual(['V', true]);
    expect(commands.indexOf('C')).toBeGreaterThan(0);
  });

  it('is set up anew only then where it was off the bus, and heard as before', async () => {
    const { socket, adapter, events, channel } = await setUp(dialects.fd);
    adapter.isHung = true;
    send(channel, 1);
    await until(() => adapter.ignored.length > 0);
    socket.say('sb000256\r');
    await until(() => events.states.at(-1) === 'bus_off');
    channel.recover();
    await until(() => events.failedFrames === 1);
    adapter.isHung = false;
    // It is back on its own or, on slow wires, was lost and found again.
    await until(() => events.states.at(-1) === 'error_active');
    const { overruns } = channel.stats();
    await until(() => {
      adapter.hear('t1001AA');
      return events.received.length > 0 || channel.stats().overruns > overruns;
    });
    expect(channel.stats().overruns).toBe(overruns);
  });

  it('gets no frame any more once its channel is being closed', async () => {
    const { adapter, events, channel } = await setUp();
    adapter.isHung = true;
    send(channel, 1);
    await until(() => adapter.ignored.includes('V') || events.presence.length > 0);
    adapter.commands.length = 0;
    adapter.isHung = false;
    // It then stays silent for a moment, so that no late response is mistaken for another.
    await until(() => adapter.commands.includes('V'));
    send(channel, 2);
    await channel.close();
    expect(adapter.commands.filter((command) => command.startsWith('t'))).toEqual([]);
    expect(events.completed).toEqual([]);
  });
});
