import { describe, expect, it } from 'vitest';
import { coolantProject } from '../testing/coolant-project.ts';
import { type Changes, change, problemsOf, validated } from './testing/change-project.ts';
import { plantProject } from './testing/plant-project.ts';

describe('validateProject', () => {
  it('finds nothing wrong with sound projects', () => {
    expect(problemsOf(validated(coolantProject()))).toEqual([]);
    expect(problemsOf(validated(plantProject()))).toEqual([]);
    expect(problemsOf(validated({ format: 'gwproj', schema_version: 1 }))).toEqual([]);
  });

  it.each(Object.keys(plantProject()).filter((name) => Array.isArray(plantProject()[name])))(
    'blames nothing else for a row of %s that has a problem of its own',
    (table) => {
      for (const { id } of plantProject()[table]) {
        const draft = validated(change(plantProject(), { [`${table}.${id}.colour`]: 'red' }));
        expect(problemsOf(draft)).toEqual([`${table}.${id} colour unknown_field`]);
      }
    },
  );

  it.each(Object.keys(plantProject()).filter((name) => Array.isArray(plantProject()[name])))(
    'blames no row for a table %s that is no list',
    (table) => {
      const draft = validated({ ...plantProject(), [table]: {} });
      expect(problemsOf(draft)).toEqual([`null.null ${table} wrong_type`]);
    },
  );

  it('goes on after a problem, so that all of them are told at once', () => {
    const changes: Changes = {
      'signals.limit.initial': undefined,
      'codecs.u16.factor': 0,
      'messages.Engine.stale_after_ms': undefined,
      'mappings.mean.inputs': ['speed'],
      'plugins.seal.library': '/lib/seal.so',
    };
    expect(problemsOf(validated(change(plantProject(), changes)))).toEqual([
      'signals.limit initial missing_field',
      'codecs.u16 factor out_of_range',
      'messages.Engine stale_after_ms missing_field',
      'mappings.mean inputs wrong_arity',
      'plugins.seal library unsafe_path',
    ]);
  });
});
