import { signal } from '@preact/signals';
import type { ChannelReading } from './channel-readings.ts';

/** The channel that the user picked; the first one until then. */
export const pickedSelector = signal<string | null>(null);

/** What the panel below the channels is used for. */
export const task = signal<'show' | 'configure' | 'open'>('show');

/** The port that the form should begin with; the first free one where empty. */
export const wantedPort = signal('');

export const openPort = (selector = ''): void => {
  wantedPort.value = selector;
  task.value = 'open';
};

export const pickedOf = (readings: readonly ChannelReading[]): ChannelReading | null =>
  readings.find(({ channel }) => channel.selector === pickedSelector.value) ?? readings[0] ?? null;

export const pick = (selector: string): void => {
  pickedSelector.value = selector;
  if (task.peek() === 'open') task.value = 'show';
};
