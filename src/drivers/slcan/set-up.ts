import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Command, Reply } from './exchange.ts';
import type { StampDigits } from './frame-text.ts';
import type { SlcanProfile } from './slcan-profile.ts';

export interface SetUpLine {
  readonly peer: string;
  ask(command: Command): Promise<Reply>;
  report(text: string): void;
  stampDigits: StampDigits;
}

const commandTimeoutUs = 500_000;

const does = (text: string): Command => ({ text, timeoutUs: commandTimeoutUs });

/** Devices process commands in order: its response shows that all earlier commands are done. */
const lastCommand: Command = { text: 'V', timeoutUs: 100_000, isAnswer: (line) => line.length > 2 };

/** No command here waits for quiet. */
type Failure = Exclude<Reply['outcome'], 'ok' | 'unquiet'>;

const failures: Readonly<Record<Failure, string>> = {
  refused: 'command_refused',
  silent: 'no_answer',
  gone: 'device_lost',
};

const commandFailed = (device: string, command: string, reply: Reply): BusbarError => {
  const said = reply.outcome === 'refused' ? 'refused' : 'did not answer';
  return new BusbarError('hardware_error', {
    message: `${device} ${said} the command ${command}`,
    details: { reason: failures[reply.outcome as Failure], device, command },
    retryable: reply.outcome !== 'refused',
  });
};

const chooseStamps = async (line: SetUpLine, { fd }: SlcanProfile): Promise<StampDigits> => {
  if (fd && (await line.ask(does('Z2'))).outcome === 'ok') return 8;
  if ((await line.ask(does('Z1'))).outcome === 'ok') return 4;
  await line.ask(does('Z0'));
  return 0;
};

/** Closes the channel. A refusal means that it was already closed. */
export const shut = async (line: SetUpLine, { acknowledges }: SlcanProfile): Promise<void> => {
  if (acknowledges) await line.ask(does('C'));
  else line.report('C');
};

/**
 * Configures a device and returns its number of timestamp digits. A silent device gets the same
 * commands.
 */
export const setUp = async (
  line: SetUpLine,
  profile: SlcanProfile,
  commands: readonly string[],
): Promise<StampDigits> => {
  await shut(line, profile);
  if (!profile.acknowledges) {
    line.stampDigits = 0;
    for (const command of commands) line.report(command);
    await line.ask(lastCommand);
    return 0;
  }
  const digits = await chooseStamps(line, profile);
  line.stampDigits = digits;
  for (const command of commands) {
    const reply = await line.ask(does(command));
    if (reply.outcome !== 'ok') throw commandFailed(line.peer, command, reply);
  }
  return digits;
};

const syncTimeoutUs = 500_000;
/** Late responses arrive together, or a few frames apart. */
const syncQuietUs = 100_000;
const maxSyncCommands = 3;

/**
 * Command that shows that no response is still pending: its own response differs from that of a
 * frame, and quiet follows. Devices respond in order, but a bell after the command may belong
 * to an earlier frame.
 */
export const syncCommandFor = ({ version, serial }: SlcanProfile): Command => {
  const limits = { timeoutUs: syncTimeoutUs, quietUs: syncQuietUs };
  if (version !== '') {
    return { text: 'V', ...limits, isAnswer: (line) => line.replace(/^[Vv]/, '') === version };
  }
  if (serial !== '') return { text: 'N', ...limits, isAnswer: (line) => line === `N${serial}` };
  // The device sends only bells and line ends. The last one before the quiet is the response.
  return { text: 'V', ...limits };
};

/** Repeats until the device is in sync; `gone` if `isOff`. */
export const awaitSync = async (
  line: Pick<SetUpLine, 'ask'>,
  profile: SlcanProfile,
  isOff: () => boolean,
): Promise<'ok' | 'silent' | 'gone'> => {
  const command = syncCommandFor(profile);
  for (let i = 0; i < maxSyncCommands; i++) {
    const { outcome } = await line.ask(command);
    if (outcome === 'gone' || isOff()) return 'gone';
    if (outcome !== 'silent') return 'ok';
  }
  return 'silent';
};
