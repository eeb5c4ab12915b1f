import { describe, expect, it } from 'vitest';
import { conflictKey, mergeProjects, type Side } from './merge-projects.ts';
import type { ProjectDocument, ProjectRow } from './project-document.ts';

const project = (signals: readonly unknown[], header: ProjectRow = {}): ProjectDocument => ({
  format: 'gwproj',
  ...header,
  signals,
});

const a = { id: 'a', type: 'bool', unit: 'x' };
const b = { id: 'b', type: 'bool' };
const c = { id: 'c', type: 'bool' };
const base = project([a, b, c]);

const merge = (
  mine: ProjectDocument,
  theirs: ProjectDocument,
  choices: Readonly<Record<string, Side>> = {},
  from = base,
) => mergeProjects({ base: from, mine, theirs }, new Map(Object.entries(choices)));

const idsIn = ({ document }: { readonly document: ProjectDocument }) =>
  (document.signals as readonly ProjectRow[]).map(({ id }) => id);

describe('A merge', () => {
  it('takes what only one side changed, in the same row too', () => {
    const mine = project([{ ...a, unit: 'y' }, b, c], { name: 'Mine' });
    const theirs = project([{ ...a, type: 'int64' }, b, { ...c, comment: 'new' }]);
    expect(merge(mine, theirs)).toEqual({
      document: project([{ ...a, unit: 'y', type: 'int64' }, b, { ...c, comment: 'new' }], {
        name: 'Mine',
      }),
      conflicts: [],
    });
  });

  it('is the other side if one changed nothing, and either if both changed the same', () => {
    const changed = project([{ ...a, unit: 'y' }, c], { name: 'New' });
    for (const [mine, theirs] of [
      [base, changed],
      [changed, base],
      [changed, structuredClone(changed)],
    ] as const) {
      expect(merge(mine, theirs)).toEqual({ document: changed, conflicts: [] });
    }
  });

  it('asks about a field that both changed, and takes the side that is chosen', () => {
    const mine = project([{ ...a, unit: 'mine' }, b, c]);
    const theirs = project([{ id: 'a', type: 'bool' }, b, c]);
    const place = { table: 'signals', row: 'a', field: 'unit' };
    const open = merge(mine, theirs);
    expect(open.conflicts).toEqual([{ ...place, base: 'x', mine: 'mine', theirs: undefined }]);
    expect(open.document).toEqual(mine);
    const chosen = merge(mine, theirs, { [conflictKey(place)]: 'theirs' });
    expect(chosen.document).toEqual(theirs);
    expect(chosen.conflicts).toEqual(open.conflicts);
  });

  it('asks about fields of the file, and about values that are no tables where one is due', () => {
    const mine = { ...project([a], { name: 'Mine' }), codecs: 1 };
    const theirs = { ...project([a], { name: 'Theirs' }), codecs: [] };
    const { conflicts } = merge(mine, theirs, {}, { ...project([a], { name: 'Old' }) });
    expect(conflicts.map(({ table, field }) => [table, field])).toEqual([
      [null, 'name'],
      [null, 'codecs'],
    ]);
  });

  it('asks about a row that one side removed and the other changed', () => {
    const mine = project([b, c]);
    const theirs = project([{ ...a, unit: 'y' }, b, c]);
    const place = { table: 'signals', row: 'a', field: null };
    const versions = { base: a, mine: undefined, theirs: { ...a, unit: 'y' } };
    expect(merge(mine, theirs).conflicts).toEqual([{ ...place, ...versions }]);
    expect(idsIn(merge(mine, theirs))).toEqual(['b', 'c']);
    const kept = merge(mine, theirs, { [conflictKey(place)]: 'theirs' });
    expect(kept.document).toEqual(theirs);
  });

  it('removes what one side removed and the other left as it was', () => {
    const both = merge(project([b, c]), project([a, b]));
    expect([idsIn(both), both.conflicts]).toEqual([['b'], []]);
  });

  it('merges rows that both added with one ID by field', () => {
    const added = (fields: ProjectRow) => project([a, b, c, { id: 'd', ...fields }]);
    const { document, conflicts } = merge(
      added({ type: 'bool', unit: 'm' }),
      added({ type: 'int64', comment: 'theirs' }),
    );
    expect(document).toEqual(added({ type: 'bool', comment: 'theirs', unit: 'm' }));
    expect(conflicts.map(({ field }) => field)).toEqual(['type']);
  });

  it('puts added rows where they were added, those of the file first', () => {
    const row = (id: string) => ({ id });
    const mine = project([row('m0'), a, row('m1'), row('m2'), b, c]);
    const theirs = project([a, row('t1'), b, c, row('t2')]);
    const ids = ['m0', 'a', 't1', 'm1', 'm2', 'b', 'c', 't2'];
    expect(idsIn(merge(mine, theirs))).toEqual(ids);
  });

  it('keeps the order of the side that moved rows, and asks if both did', () => {
    const mine = project([b, a, c]);
    expect(merge(mine, project([a, b, c, { id: 'd' }])).document).toEqual(
      project([b, a, c, { id: 'd' }]),
    );
    const theirs = project([a, c, b]);
    const place = { table: 'signals', row: null, field: null };
    const { conflicts } = merge(mine, theirs);
    expect(conflicts).toEqual([
      { ...place, base: ['a', 'b', 'c'], mine: ['b', 'a', 'c'], theirs: ['a', 'c', 'b'] },
    ]);
    expect(idsIn(merge(mine, theirs, { [conflictKey(place)]: 'theirs' }))).toEqual(['a', 'c', 'b']);
  });

  it('keeps rows that share an ID, and adds tables that only one side has', () => {
    const twice = project([a, { ...a, unit: 'second' }]);
    const theirs = { ...twice, codecs: [{ id: 'k' }] };
    const mine = { ...twice, mappings: [{ id: 'm' }] };
    expect(merge(mine, theirs, {}, twice)).toEqual({
      document: { ...twice, codecs: [{ id: 'k' }], mappings: [{ id: 'm' }] },
      conflicts: [],
    });
  });
});
