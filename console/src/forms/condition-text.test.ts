import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import type { ConditionReport } from '../api/client.ts';
import {
  caretLines,
  firedText,
  kindText,
  offsetOf,
  refusalText,
  termText,
} from './condition-text.ts';

const report: ConditionReport = {
  condition: 'error',
  kind: 'instant',
  terms: [],
  fired: 0,
  last_fired_us: null,
  holds: null,
  since_us: 1_000_000,
  until_us: 61_000_000,
  missed: 0,
};

const refusal = (details: Record<string, unknown>): ApiError =>
  new ApiError({
    code: 'invalid_argument',
    message: 'condition: expected a term at offset 4, found the end',
    details: { field: 'condition', ...details },
  });

describe('a refused condition', () => {
  it('has a caret under the place where something else is expected', () => {
    expect(caretLines('not', 3)).toBe('not\n   ^');
    expect(caretLines('frame 12Z', 6)).toBe('frame 12Z\n      ^');
  });

  it('is shortened around that place', () => {
    const [text = '', caret = ''] = caretLines(`${'a'.repeat(60)}!${'b'.repeat(60)}`, 60).split(
      '\n',
    );
    expect(text).toMatch(/^…a{40}!b{23}…$/);
    expect(text[caret.length - 1]).toBe('!');
  });

  it('is placed only if its text is wrong', () => {
    expect(offsetOf(refusal({ reason: 'condition', offset: 4 }))).toBe(4);
    expect(offsetOf(refusal({ reason: 'missing' }))).toBeNull();
  });

  it('says what is expected, without the name of the field', () => {
    expect(refusalText(refusal({}))).toBe('Expected a term at offset 4, found the end');
    expect(refusalText(refusal({ field: 'other' }))).toMatch(/^Condition: expected/);
  });
});

describe('an accepted condition', () => {
  it('says when it fires, and whether a state holds', () => {
    expect(kindText(report)).toBe('Fires at every match.');
    expect(kindText({ ...report, kind: 'state', holds: true })).toBe(
      'Fires when it becomes true. It is true now.',
    );
  });

  it('names the channels and databases of each term', () => {
    const term = {
      term: 'signal Engine.Speed > 1',
      kind: 'state',
      channels: ['SIM00001/0'],
    } as const;
    expect(termText({ ...term, databases: ['car'] })).toBe(
      'signal Engine.Speed > 1: SIM00001/0 (car)',
    );
    expect(termText({ ...term, channels: [], databases: [] })).toBe(
      'signal Engine.Speed > 1: no open channel',
    );
  });

  it('counts how often it would have fired', () => {
    expect(firedText(report)).toBe('Would not have fired in the last minute.');
    expect(firedText({ ...report, fired: 1, last_fired_us: 60_000_000, missed: 3 })).toMatch(
      /^Would have fired 1 time in the last minute; last at \d\d:\d\d:00\.000\. 3 events could not be read\.$/,
    );
  });

  it('says so if fewer than the events of a minute are stored', () => {
    expect(firedText({ ...report, fired: 2, since_us: 56_000_000 })).toBe(
      'Would have fired 2 times in the last 5 seconds, as far as events are stored.',
    );
  });
});
