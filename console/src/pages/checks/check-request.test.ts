import { describe, expect, it } from 'vitest';
import { checksOf, databasesOf, draftProblems, emptyDraft, namesOf } from './check-request.ts';

const fieldsOf = (part: Partial<typeof emptyDraft>): readonly string[] =>
  draftProblems({ ...emptyDraft, ...part }).map(({ field }) => field);

describe('the request of checks', () => {
  it('has a check for each line', () => {
    expect(checksOf(' never gap \n\nload < 60%\n')).toEqual([
      { check: 'never gap' },
      { check: 'load < 60%' },
    ]);
    expect(checksOf(' \n')).toEqual([]);
  });

  it('has databases with the channel after @', () => {
    expect(databasesOf('car.dbc, a@b.dbc@2,')).toEqual([
      { file: 'car.dbc' },
      { file: 'a@b.dbc', channel: '2' },
    ]);
    expect(namesOf('500k/2M, 125k@2')).toEqual(['500k/2M', '125k@2']);
  });

  it('needs checks, and a trace or a time', () => {
    expect(fieldsOf({})).toEqual(['trace', 'checks']);
    expect(fieldsOf({ source: 'live' })).toEqual(['checks']);
    expect(fieldsOf({ source: 'live', seconds: '', checks: 'never gap' })).toEqual(['seconds']);
    expect(fieldsOf({ trace: 'a.asc', file: 'a.checks.json' })).toEqual([]);
  });
});
