import { describe, expect, it } from 'vitest';
import { readLoose } from '../testing/read-text.ts';
import { checkBitOverlaps } from './bit-overlaps.ts';
import { ProjectLinks } from './project-links.ts';
import { change, problemsOf, validated } from './testing/change-project.ts';
import { plantProject } from './testing/plant-project.ts';

describe('pages', () => {
  const checkWith = (effort: number): string[] => {
    const draft = readLoose(plantProject());
    checkBitOverlaps(new ProjectLinks(draft), effort);
    return problemsOf(draft);
  };

  it('are looked at as long as it takes no more than the effort allowed', () => {
    expect(checkWith(100)).toEqual(['messages.Pages id too_complex']);
    expect(checkWith(10_000)).toEqual([]);
  });

  it('are told apart however many selectors depend on each other', () => {
    const selectors = Array.from({ length: 100 }, (_, bit) => ({
      id: `bit${bit}`,
      signal: 'enable',
      direction: 'tx',
      message: 'Deep',
      codec: 'bit',
      start_bit: bit,
      ...(bit > 0 && { mux: { selector: `bit${bit - 1}`, values: ['1'] } }),
    }));
    const project = change(plantProject(), {
      'messages.Deep': {
        endpoint: 'bus',
        direction: 'tx',
        can_id: 1,
        fd: true,
        length: 64,
        period_ms: 10,
      },
      'tx_tasks.deep': { message: 'Deep' },
    });
    project.bindings.push(...selectors);
    expect(problemsOf(validated(project))).toEqual([]);
    project.bindings.at(-1).start_bit = 5;
    expect(problemsOf(validated(project))).toEqual(['bindings.bit99 start_bit overlap']);
  });
});
