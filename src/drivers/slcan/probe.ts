import { BusbarError } from '../../base/errors/busbar-error.ts';
import { serialFailure } from '../serial-device/serial-failure.ts';
import type { Command, ProbeStats, Reply } from './exchange.ts';
import { type SlcanProfile, silentProfile, sja1000ClockHz } from './slcan-profile.ts';

export interface CommandLine {
  readonly peer: string;
  ask(command: Command): Promise<Reply>;
  readonly probeStats: Readonly<ProbeStats>;
}

const mismatch = (
  device: string,
  reason: string,
  message: string,
  hint: string,
  retryable = false,
): BusbarError =>
  new BusbarError('hardware_error', { message, details: { reason, device }, hint, retryable });

/** Silent firmware looks like a missing device, so its frames must not count as sent. */
export const noAnswer = (device: string): BusbarError => {
  const hint =
    'Check its power, its firmware and the baud rate, as in /dev/ttyUSB0,baud=57600; ' +
    'for firmware that never answers, such as that of the first CANable, append ,answers=no to the path';
  return mismatch(device, 'no_answer', `No response from ${device}`, hint, true);
};

const wrongBaudRate = (device: string): BusbarError => {
  const hint = 'Append the baud rate of the adapter to the path, as in /dev/ttyUSB0,baud=57600';
  const message = `${device} answers with noise instead of text: wrong baud rate`;
  return mismatch(device, 'baud_rate_mismatch', message, hint);
};

const notSlcan = (device: string, action: string): BusbarError => {
  const hint = 'Flash slcan firmware, or set the correct serial port in the bench file';
  const message = `${device} ${action}: its firmware does not support slcan`;
  return mismatch(device, 'not_slcan', message, hint);
};

/**
 * USB devices respond in milliseconds, converters buffer for 16 ms, and 9600 baud needs 10 ms
 * for a version.
 */
const probeTimeoutUs = 100_000;
/** On a very busy machine, 100 ms of silence may be our own delay. */
export const retryTimeoutUs = 1_000_000;
/** Longest pause while an adapter sends its queue. */
const quietUs = 30_000;
/** An adapter left open may still send 2 kB at 9600 baud. */
const maxQueueUs = 2_000_000;

const otherLine = /^(?:N\S+|s[awpb]\d{6}|e\d[abBcfsoO]+)$/;

/** Lawicel's version format, or free text. */
const isVersion = (line: string): boolean =>
  /^[Vv]\S/.test(line) || (line.length > 4 && /[a-z]/i.test(line) && !otherLine.test(line));

const isSerial = (line: string): boolean => /^N[\x21-\x7e]{1,32}$/.test(line);
const isController = (line: string): boolean => /^I[0-9A-F]{4}$/.test(line);

type Ask = (command: Command) => Promise<Reply>;

const timingOf = async (
  ask: Ask,
  fd: boolean,
  timeoutUs: number,
): Promise<SlcanProfile['timing']> => {
  if (!fd) return { form: 'btr', clockHz: sja1000ClockHz };
  const { outcome, text } = await ask({ text: 'I', timeoutUs, isAnswer: isController });
  const megahertz = Number.parseInt(text.slice(3), 16);
  if (outcome !== 'ok' || megahertz === 0) return undefined;
  return { form: 'segments', clockHz: megahertz * 1_000_000 };
};

/**
 * The device keeps sending after close. If it sends frames, it ignores commands; any other
 * output is not slcan.
 */
const unquietProfile = ({ peer, probeStats }: CommandLine): SlcanProfile => {
  const { noise, frames, words } = probeStats;
  if (noise > 0) throw wrongBaudRate(peer);
  // The first line may be incomplete.
  if (frames === 0 || words > 1) throw notSlcan(peer, 'never stops sending');
  return silentProfile;
};

/**
 * Returns whether a device responds to commands with a bare line end or a bell. No dialect
 * responds to `C` with text, so a device that does is not slcan: a modem, a shell or an echo.
 * Their response to `V` cannot be distinguished from a version.
 */
const isAcknowledging = async (
  line: CommandLine,
  ask: Ask,
  close: Command,
  version: Command | undefined,
): Promise<boolean | undefined> => {
  const { words, answers } = line.probeStats;
  const { outcome } = await ask(close);
  if (outcome === 'unquiet' || line.probeStats.words > words) {
    if (line.probeStats.noise > 0) throw wrongBaudRate(line.peer);
    throw notSlcan(line.peer, 'answers commands with text');
  }
  if (outcome === 'ok' || !version) return outcome === 'ok';
  // Devices respond in order: a response after a second version is not late.
  const again = await ask(version);
  if (line.probeStats.answers > answers) return true;
  return again.outcome === 'ok' ? false : undefined;
};

/**
 * Identifies the connected device and leaves its channel closed. It never sends an empty line
 * to terminate an incomplete one: CANable 2 repeats its last command then, which may have been
 * a frame. The first of two `C` terminates the line too, and waits until an adapter left open
 * on a busy bus has sent its queue.
 */
export const probe = async (
  line: CommandLine,
  timeoutUs = probeTimeoutUs,
): Promise<SlcanProfile> => {
  const { peer, probeStats } = line;
  const ask: Ask = async (command) => {
    const reply = await line.ask(command);
    if (reply.outcome === 'gone') throw serialFailure(peer, 'hung_up');
    return reply;
  };
  const settle = { quietUs, limitUs: timeoutUs + maxQueueUs };
  const close: Command = { text: 'C', timeoutUs, settle };
  const version: Command = { text: 'V', timeoutUs, quietUs, isAnswer: isVersion };
  const { words } = probeStats;

  const cleared = await ask(close);
  if (cleared.outcome === 'unquiet') return unquietProfile(line);
  const named = await ask(version);
  const says = named.outcome === 'ok';
  const isSilent = cleared.outcome === 'silent' && !says && probeStats.words === words;
  const acknowledges =
    !isSilent && (await isAcknowledging(line, ask, close, says ? version : undefined));
  if (acknowledges === undefined) return silentProfile;
  if (!acknowledges) {
    if (!says && probeStats.noise > 0) throw wrongBaudRate(peer);
    return { ...silentProfile, version: named.text, fd: /canable2/i.test(named.text) };
  }
  const numbered = await ask({ text: 'N', timeoutUs, isAnswer: isSerial });
  const isNameless = !says && numbered.outcome !== 'ok';
  if (isNameless && probeStats.noise > 0) throw wrongBaudRate(peer);
  // Closing a closed channel is refused. Only another command shows FD support.
  const fd = (await ask({ text: 'Y2', timeoutUs })).outcome === 'ok';
  if (isNameless && !fd && (await ask({ text: 'S6', timeoutUs })).outcome === 'refused') {
    throw notSlcan(peer, 'rejects every command');
  }
  return {
    acknowledges,
    fd,
    timing: await timingOf(ask, fd, timeoutUs),
    version: named.text.replace(/^[Vv]/, ''),
    serial: numbered.text.slice(1),
  };
};
