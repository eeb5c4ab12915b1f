import { describe, expect, it } from 'vitest';
import { syncCommandFor } from './set-up.ts';
import { silentProfile } from './slcan-profile.ts';

const answersOf = (version: string, serial: string, lines: readonly string[]) => {
  const { isAnswer } = syncCommandFor({ ...silentProfile, acknowledges: true, version, serial });
  return lines.filter((line) => isAnswer?.(line));
};

describe('the question behind answers that were missed', () => {
  const lines = ['V1013', 'V1014', 'NA12F', 'F00', 'I30A0', 'sa000000', 'own words 7'];

  it.each([
    ['1013', 'A12F', 'V1013'],
    ['own words 7', '', 'own words 7'],
    ['', 'A12F', 'NA12F'],
  ])('is answered by what the device said before (%j, %j)', (version, serial, answer) => {
    expect(answersOf(version, serial, lines)).toEqual([answer]);
  });

  it('has no answer of its own where the device never said anything', () => {
    expect(syncCommandFor({ ...silentProfile, acknowledges: true }).isAnswer).toBeUndefined();
  });
});
