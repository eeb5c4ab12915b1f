import { afterAll, describe, expect, it, vi } from 'vitest';
import { settled } from '../../api/testing/settled.ts';
import type { SavedTrace } from '../../trace-core/export-trace.ts';

const asked: { format: string; answer: (saved: Partial<SavedTrace> | null) => void }[] = [];
const saved: string[] = [];

vi.mock('./trace-client.ts', () => ({
  shownRows: {
    peek: () => ({
      save: (format: string) =>
        new Promise((done) => asked.push({ format, answer: done as (typeof asked)[0]['answer'] })),
    }),
  },
}));
vi.mock('../../ui/save-file.ts', () => ({
  saveFile: (_: Blob, name: string) => saved.push(name),
  stampedName: (_: string, extension: string) => extension,
}));

// Other test files of this process may have loaded the module with its real imports.
vi.resetModules();
afterAll(() => vi.resetModules());
const { exportAs } = await import('./export-menu.tsx');

describe('exports that are wanted at once', () => {
  it('are written one behind the other, each under its own name', async () => {
    const both = [exportAs('csv'), exportAs('asc')];
    await settled(() => asked.length === 1);
    asked[0]?.answer({ file: new Blob() });
    await both[0];
    await settled(() => asked.length === 2);
    expect(asked.map(({ format }) => format)).toEqual(['csv', 'asc']);
    expect(saved).toEqual(['csv']);
    asked[1]?.answer({ file: new Blob() });
    await both[1];
    expect(saved).toEqual(['csv', 'asc']);
    // A writer that cannot be fetched does not keep later exports waiting.
    const next = [exportAs('mf4'), exportAs('mf4')];
    await settled(() => asked.length === 3);
    asked[2]?.answer(null);
    await settled(() => asked.length === 4);
    asked[3]?.answer({ file: new Blob() });
    await Promise.all(next);
    expect(saved).toEqual(['csv', 'asc', 'mf4']);
  });
});
