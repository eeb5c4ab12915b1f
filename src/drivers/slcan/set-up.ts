import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Command, Reply } from './exchange.ts';
import type { StampDigits } from './frame-text.ts';
import type { SlcanProfile } from './slcan-profile.ts';

/** A line that can be set up. */
export interface SetUpLine {
  readonly peer: string;
  ask(command: Command): Promise<Reply>;
  tell(text: string): void;
  stampDigits: StampDigits;
}

const commandTimeoutUs = 500_000;

const does = (text: string): Command => ({ text, timeoutUs: commandTimeoutUs });

/** Commands are obeyed in order: what answers this one, or had the time to, has done them all. */
const fence: Command = {
  text: 'V',
  timeoutUs: 100_000,
  isAnswer: (line) => line.length > 2,
};

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
    details: {
      reason: failures[reply.outcome as Failure],
      device,
      command,
    },
    retryable: reply.outcome !== 'refused',
  });
};

/** The finest time stamps that the device can give; it may have kept others from before. */
const chooseStamps = async (line: SetUpLine, { fd }: SlcanProfile): Promise<StampDigits> => {
  if (fd && (await line.ask(does('Z2'))).outcome === 'ok') return 8;
  if ((await line.ask(does('Z1'))).outcome === 'ok') return 4;
  await line.ask(does('Z0'));
  return 0;
};

/** Closes the channel of a device. One that is closed already refuses that, which is as good. */
export const shut = async (line: SetUpLine, { acknowledges }: SlcanProfile): Promise<void> => {
  if (acknowledges) await line.ask(does('C'));
  else line.tell('C');
};

/**
 * Has a device run as the commands say, and gives the time stamps that its frames carry. A device
 * that answers nothing is told all the same.
 */
export const setUp = async (
  line: SetUpLine,
  profile: SlcanProfile,
  commands: readonly string[],
): Promise<StampDigits> => {
  await shut(line, profile);
  if (!profile.acknowledges) {
    line.stampDigits = 0;
    for (const command of commands) line.tell(command);
    await line.ask(fence);
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
