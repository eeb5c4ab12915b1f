import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText, messageText, refusalOf } from './testing/import-text.ts';

const pagesOf = (file: string | Uint8Array, direction: 'rx' | 'tx' = 'rx') => {
  const options = { direction, staleAfterMs: 0, missingCycle: 'on_change' } as const;
  const { project } = importText(file, options);
  return Object.fromEntries(
    project.bindings.flatMap(({ id, mux }) =>
      mux === undefined ? [] : [[id, `${mux.selector}=${mux.values.join()}`]],
    ),
  );
};

describe('multiplexed signals', () => {
  it('name the binding of their selector in the same direction', () => {
    const file = messageText(` SG_ Page M : 0|4@1+ (1,0) [0|0] "" B
 SG_ A m0 : 8|8@1+ (1,0) [0|0] "" B
 SG_ B m3 : 8|8@1+ (1,0) [0|0] "" B
`);
    expect(pagesOf(file)).toEqual({
      'net.M.A.rx': 'net.M.Page.rx=0',
      'net.M.B.rx': 'net.M.Page.rx=3',
    });
    expect(pagesOf(file, 'tx')).toEqual({
      'net.M.A.tx': 'net.M.Page.tx=0',
      'net.M.B.tx': 'net.M.Page.tx=3',
    });
  });

  it('depend on selectors that depend on others, for ranges of raws', () => {
    const path = join(import.meta.dirname, '../../../tests/golden/dbc/extended-multiplexing.dbc');
    expect(pagesOf(readFileSync(path), 'tx')).toEqual({
      'net.Nested.Branch.tx': 'net.Nested.Root.tx=0-1',
      'net.Nested.LeafLow.tx': 'net.Nested.Branch.tx=0-4,6-9',
      'net.Nested.LeafHigh.tx': 'net.Nested.Branch.tx=10-255',
      'net.Nested.Other.tx': 'net.Nested.Root.tx=3,5-255',
    });
  });

  it('have their ranges in order, and one for those that touch', () => {
    const file = messageText(
      ` SG_ Page M : 0|8@1+ (1,0) [0|0] "" B
 SG_ A m0 : 8|8@1+ (1,0) [0|0] "" B
`,
      { more: 'SG_MUL_VAL_ 100 A Page 9-9, 4-5, 6-7, 1-2, 2-2;\n' },
    );
    expect(pagesOf(file)).toEqual({ 'net.M.A.rx': 'net.M.Page.rx=1-2,4-7,9' });
  });

  it('are left out in both directions where the selector has no bits for their raws', () => {
    const file = messageText(` SG_ Page M : 0|2@1+ (1,0) [0|0] "" B
 SG_ A m4 : 8|8@1+ (1,0) [0|0] "" B
`);
    for (const direction of ['rx', 'tx'] as const) {
      const { project, omitted } = importText(file, { direction });
      expect(project.bindings).toHaveLength(1);
      expect(omitted).toEqual([
        {
          message: 'M',
          signal: 'A',
          part: 'signal',
          reason: 'is never present: its raw values do not fit into Page',
        },
      ]);
    }
  });

  it('go with a selector that cannot be read, whatever their order', () => {
    const file = messageText(` SG_ A m0 : 8|8@1+ (1,0) [0|0] "" B
 SG_ Page M : 0|8@1+ (0,0) [0|0] "" B
`);
    const { project, omitted } = importText(file);
    expect(project.bindings).toEqual([]);
    expect(omitted.map(({ signal, reason }) => `${signal} ${reason}`)).toEqual([
      'Page has the factor 0',
      'A depends on Page, which is omitted',
    ]);
    const refusal = refusalOf(() => importText(file, { direction: 'tx' }));
    expect(refusal.details).toMatchObject({ problems: [{ signal: 'Page' }], total: 1 });
  });

  it('cannot depend on floats or on raws below 0', () => {
    const float = messageText(
      ` SG_ Page M : 0|32@1+ (1,0) [0|0] "" B
 SG_ A m0 : 32|8@1+ (1,0) [0|0] "" B
`,
      { more: 'SIG_VALTYPE_ 100 Page : 1;\n' },
    );
    expect(importText(float).omitted).toEqual([
      { message: 'M', signal: 'A', part: 'signal', reason: 'depends on Page, which is no integer' },
    ]);
    const signed = messageText(` SG_ Page M : 0|8@1- (1,0) [0|0] "" B
 SG_ A m127 : 8|8@1+ (1,0) [0|0] "" B
 SG_ B m255 : 8|8@1+ (1,0) [0|0] "" B
`);
    const { project, omitted } = importText(signed);
    expect(project.bindings.map(({ id }) => id)).toEqual(['net.M.Page.rx', 'net.M.A.rx']);
    expect(omitted).toEqual([
      { message: 'M', signal: 'B', part: 'signal', reason: 'depends on a negative raw of Page' },
    ]);
  });
});
