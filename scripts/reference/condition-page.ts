import { maxConditionLength, maxConditionTerms } from '../../src/condition/parse-condition.ts';
import { termNames, terms } from '../../src/condition/terms.ts';
import { code, generatedPage, prose, table } from './markdown.ts';

const grammar = [
  'condition  := and { "or" and }',
  'and        := within { "and" within }',
  'within     := not [ "within" duration "of" not ]',
  'not        := "not" not | "(" condition ")" | term [ "on" channel ]',
];

const combinations = [
  ['`not A`', 'a state', 'A state that holds while A does not.'],
  [
    '`A and B`',
    'states, and at most one instant',
    'With an instant: the instant, while the states hold. Otherwise a state.',
  ],
  ['`A or B`', 'anything', 'Of states, a state. Otherwise an instant when one of them fires.'],
  [
    '`A within 50ms of B`',
    'anything',
    'An instant: A and B fire at most that far apart, in either order. It fires at the later one.',
  ],
];

const body = (): string[] => [
  'A condition is a text about the events on CAN and LIN channels. [Conditions](../guides/conditions.md) shows where it is used.',
  '',
  '## Terms',
  '',
  ...table(
    ['term', 'kind', 'meaning', 'example'],
    termNames.map((name) => {
      const { form, kind, about, example } = terms[name];
      return [code(`${name} ${form}`.trim()), kind, prose(about), code(example)];
    }),
  ),
  'Each term may end with `on <channel>`: a selector or name of the bench, or in a trace the number, `C1`, `L1` or the name of a channel. Without it, each channel is watched on its own, and a state holds while it holds on one of them.',
  '',
  '- **Values** are numbers (`3000`, `-0.5`, `1E3`) or labels of the database. A label with blanks or one that looks like a number is quoted: `"in gear"`. Integers are compared exactly; floats with the float that is nearest to the number.',
  '- **Names** with blanks, parentheses or one of `" = ! < >` are quoted too; `\\"` and `\\\\` stand for `"` and `\\`.',
  '- **Durations** are a number and `us`, `ms`, `s`, `min` or `h`, up to 24h.',
  '',
  '## Combinations',
  '',
  'A state holds for a time; an instant is a moment. Where an instant is needed, a state counts at the moment when it becomes true; so a condition that is a state fires when it becomes true.',
  '',
  ...table(['combination', 'of', 'is'], combinations),
  '`not` binds more than `within`, then `and`, then `or`; parentheses group.',
  '',
  '```text',
  ...grammar,
  '```',
  '',
  '## What was not seen',
  '',
  'Before the first frame, `signal` and `silence` are false, and `not` of them is true. A gap of missing events starts everything again: states are false until the next frame, windows of `within` are empty, and the first value after it is no `change`. Nothing fires at the gap itself. Time that goes back by more than a second counts as a gap.',
  '',
  '`silence` becomes true when the duration has passed, also between events. At the end of a trace, time ends with the last event.',
  '',
  '## Limits',
  '',
  `A condition has at most ${maxConditionLength.toLocaleString('en')} characters and ${maxConditionTerms} terms. A wrong one is refused with ${code('invalid_argument')}: ${code('details.field')} names the field, ${code('details.offset')} the character from 0, and ${code('details.expected')} what is valid at that place.`,
];

export const conditionPage = (): string =>
  generatedPage('the terms of conditions', 'Conditions', body());
