import { BusbarError } from '../../base/errors/busbar-error.ts';
import { serialFailure } from '../serial-device/serial-failure.ts';
import type { Command, Reply } from './exchange.ts';
import { type SlcanProfile, silentProfile, sja1000ClockHz } from './slcan-profile.ts';

/** A line on which commands are asked one after the other. */
export interface CommandLine {
  readonly peer: string;
  ask(command: Command): Promise<Reply>;
  /** Bytes since the line was opened that no slcan device sends. */
  readonly noise: number;
}

/** USB answers in milliseconds, converters hold back for 16, and 9600 baud carries a version in ten. */
const probeTimeoutUs = 100_000;
/** On a machine so busy that it reads late, silence for a tenth of a second is not the adapter's. */
export const retryTimeoutUs = 1_000_000;

/** Firmware tells its version in its own words, if not as Lawicel does. */
const isVersion = (line: string): boolean =>
  /^[Vv]\S/.test(line) || (line.length > 4 && /[a-z]/i.test(line) && !/^[FNse]/.test(line));

const isSerial = (line: string): boolean => /^N[\x21-\x7e]{1,32}$/.test(line);
const isController = (line: string): boolean => /^I[0-9A-F]{4}$/.test(line);

const nothing: Reply = { outcome: 'silent', text: '' };

const mismatch = (device: string, reason: string, message: string, hint: string): BusbarError =>
  new BusbarError('hardware_error', {
    message: `${message}. ${hint}.`,
    details: { reason, device, hint },
    hint,
  });

/** Firmware without answers looks like nothing at all, which must not be told to have sent frames. */
export const noAnswer = (device: string): BusbarError => {
  const hint =
    'Check its power, its firmware and the baud rate, as in /dev/ttyUSB0,baud=57600; ' +
    'for firmware that never answers, as that of the first CANable, put ,answers=no behind the path';
  return mismatch(device, 'no_answer', `Nothing answers on ${device}`, hint);
};

const timingOf = async (
  line: CommandLine,
  fd: boolean,
  timeoutUs: number,
): Promise<SlcanProfile['timing']> => {
  if (!fd) return { form: 'btr', clockHz: sja1000ClockHz };
  const { outcome, text } = await line.ask({ text: 'I', timeoutUs, isAnswer: isController });
  const megahertz = Number.parseInt(text.slice(3), 16);
  if (outcome !== 'ok' || megahertz === 0) return undefined;
  return { form: 'segments', clockHz: megahertz * 1_000_000 };
};

/**
 * Finds out what answers at the other end, and leaves its channel closed. It never sends an empty
 * line, as others do to end one that was left half written: CANable 2 takes it for its last command
 * once more, which may have been a frame. The first of two `C` ends it as well.
 */
export const probe = async (
  line: CommandLine,
  timeoutUs = probeTimeoutUs,
): Promise<SlcanProfile> => {
  const ends = (text: string): Command => ({ text, timeoutUs });
  const closed = await line.ask(ends('C'));
  const named = await line.ask({ text: 'V', timeoutUs, isAnswer: isVersion });
  // A device that answers commands answers a garbled one too, if only with a bell.
  const acknowledges = closed.outcome !== 'silent';
  if (acknowledges) await line.ask(ends('C'));
  const numbered = acknowledges
    ? await line.ask({ text: 'N', timeoutUs, isAnswer: isSerial })
    : nothing;
  if ([closed, named, numbered].some(({ outcome }) => outcome === 'gone')) {
    throw serialFailure(line.peer, 'hung_up');
  }
  const says = named.outcome === 'ok' || numbered.outcome === 'ok';
  if (!says && line.noise > 0) {
    const hint = 'Give the baud rate of the adapter behind its path, as in /dev/ttyUSB0,baud=57600';
    const message = `${line.peer} answers with noise instead of text: the baud rate is wrong`;
    throw mismatch(line.peer, 'baud_rate_mismatch', message, hint);
  }
  if (!acknowledges) {
    return { ...silentProfile, version: named.text, fd: /canable2/i.test(named.text) };
  }
  // A channel that is closed refuses to be closed: only what cannot be refused tells.
  const fd = (await line.ask(ends('Y2'))).outcome === 'ok';
  const isDeaf = !says && !fd && (await line.ask(ends('S6'))).outcome === 'refused';
  if (isDeaf) {
    const hint = 'Flash slcan firmware, or name the right serial port in the bench file';
    const message = `${line.peer} refuses every command: its firmware does not speak slcan`;
    throw mismatch(line.peer, 'not_slcan', message, hint);
  }
  return {
    acknowledges,
    fd,
    timing: await timingOf(line, fd, timeoutUs),
    version: named.text.replace(/^[Vv]/, ''),
    serial: numbered.text.slice(1),
  };
};
