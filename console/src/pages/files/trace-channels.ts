import { letteredChannel } from '../../../../src/trace/channel-key.ts';
import type { TraceSummary } from '../../api/client.ts';

/** A channel of a trace, as a replay names it. */
export interface FileChannel {
  readonly name: string;
  /** What else it can be called; a number may be that of two channels. */
  readonly aliases: readonly string[];
  /** What the file says about it; null for nothing. */
  readonly note: string | null;
  readonly bus: 'can' | 'lin';
  readonly events: number;
  /** From the first event of the file to the last one of the channel. */
  readonly endUs: number;
}

export const isCalled = ({ name, aliases }: FileChannel, text: string): boolean =>
  name === text || aliases.includes(text);

/**
 * The channels of a file. A candump log has names for its interfaces; others have numbers, which CAN
 * and LIN count apart: `1` stands for both, so where there are both each gets its letter.
 */
export const fileChannels = ({ format, channels }: TraceSummary): readonly FileChannel[] => {
  const startUs = Math.min(...channels.map(({ first_us }) => first_us));
  return channels.map(({ channel, bus, name, events, last_us }) => {
    const isAlone = channels.filter((other) => other.channel === channel).length === 1;
    const lettered = letteredChannel(channel, bus);
    const number = isAlone ? `${channel}` : lettered;
    const isNamed = format === 'candump' && name !== null;
    return {
      name: isNamed ? name : number,
      note: isNamed ? null : name,
      aliases: [`${channel}`, lettered],
      bus,
      events,
      endUs: last_us - startUs,
    };
  });
};
