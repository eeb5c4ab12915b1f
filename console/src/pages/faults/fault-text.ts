import type { GatewayFault } from '../../api/client.ts';

const ordinal = (number: number): string => {
  const tens = number % 100;
  const suffix = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
};

/** When a rule fires, in words: `every 2nd frame, from the 10th on, 5 times at most`. */
export const triggerText = ({ start, every, count }: GatewayFault): string =>
  [
    every > 1 ? `every ${ordinal(every)} frame` : 'every frame',
    ...(start > 1 ? [`from the ${ordinal(start)} on`] : []),
    ...(count > 0 ? [count === 1 ? 'once' : `${count} times at most`] : []),
  ].join(', ');

const hex = (value: number): string => `0x${value.toString(16).toUpperCase().padStart(2, '0')}`;

/** What a rule does to a frame, in words. */
export const effectText = (rule: GatewayFault): string => {
  const { byte_offset = 0, mask = 0 } = rule;
  switch (rule.kind) {
    case 'drop':
      return 'Leaves the frame out; its counter goes on';
    case 'repeat':
      return 'Sends the last good frame again';
    case 'bypass':
      return 'Sends the frame without protection';
    case 'suppress':
      return 'Leaves the frame out, as if it had not been due';
    case 'xor_byte':
      return `Flips bits ${hex(mask)} of byte ${byte_offset}`;
    case 'set_byte':
      return `Overwrites byte ${byte_offset} with ${hex(mask)}`;
    case 'freeze_counter':
      return 'Keeps the counter of the frame where it was';
    case 'counter_jump':
      return `Moves the counter${rule.value === undefined ? '' : ` by ${rule.value}`}`;
    case 'corrupt_checksum':
      return 'Spoils the checksum';
  }
};
