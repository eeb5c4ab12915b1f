import { describe, expect, it } from 'vitest';
import {
  partAdjust,
  partDrop,
  partLabel,
  partList,
  partMove,
  partShow,
} from '../testing/sample-operations.ts';
import { cliNotation, isRequired, isRequiredOnLine, optionName, usageOf } from './usage.ts';

describe('optionName', () => {
  it.each([
    ['token', '--token'],
    ['allow_insecure_http', '--allow-insecure-http'],
  ])('spells %s as %s', (parameter, option) => {
    expect(optionName(parameter)).toBe(option);
  });
});

describe('cliNotation', () => {
  it.each([
    [partList, 'tag', '--tag=<tag>'],
    [partList, 'limit', '--limit=<limit>'],
    [partList, 'min_mass', '--min-mass=<min-mass>'],
    [partList, 'spare', '--spare'],
    [partShow, 'part_id', '<part-id>'],
    [partMove, 'store', 'left|right'],
    [partLabel, 'size', '--size=a6|a7'],
    [partAdjust, 'mark', '<mark>'],
    [partAdjust, 'size', '--size=<field>=<value>,…'],
    [partAdjust, 'locked', '--locked[=true|false]'],
    [partAdjust, 'quiet', '--quiet'],
    [partDrop, 'force', null],
  ])('of $id: %s is %s', (operation, parameter, notation) => {
    expect(cliNotation(operation, parameter)).toBe(notation);
  });
});

describe('isRequired', () => {
  it('is what the declaration says', () => {
    expect(isRequired(partMove, 'store')).toBe(true);
    expect(isRequired(partMove, 'note')).toBe(false);
    expect(isRequired(partMove, 'absent')).toBe(false);
  });
});

describe('isRequiredOnLine', () => {
  it('adds what only the command line needs', () => {
    const cli = { ...(partMove.cli ?? { words: ['part'] as const }), needs: ['note'] };
    expect(isRequiredOnLine({ ...partMove, cli }, 'note')).toBe(true);
    expect(isRequiredOnLine(partMove, 'note')).toBe(false);
    expect(isRequiredOnLine(partMove, 'store')).toBe(true);
    expect(usageOf({ ...partMove, cli })).toContain(' --note=<note> ');
  });
});

describe('usageOf', () => {
  it.each([
    [
      partList,
      'busbar part list [--tag=<tag> …] [--level=<level> …] [--limit=<limit>] [--min-mass=<min-mass>] [--spare]',
    ],
    [partShow, 'busbar part show <part-id>'],
    // Positionals come first, in declaration order.
    [partMove, 'busbar part move <part-id> left|right [--note=<note>] [--plan-file=<plan-file>]'],
    // A positional may be optional.
    [
      partAdjust,
      'busbar part adjust <part-id> [<mark>] [--size=<field>=<value>,…] [--code=<code>] [--locked[=true|false]] [--quiet]',
    ],
    [partLabel, 'busbar part label --size=a6|a7 [--ink=<ink>] [--mark=<mark>]'],
    [partDrop, null],
  ])('writes the line of $id', (operation, usage) => {
    expect(usageOf(operation)).toBe(usage);
  });
});
