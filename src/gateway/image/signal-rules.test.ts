import { describe, expect, it } from 'vitest';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { buildImage } from './build-image.ts';
import { ImageReader } from './image-reader.ts';
import { signalRules } from './signal-rules.ts';

const rulesOf = (id: string, change: (project: ReturnType<typeof coolantProject>) => void) => {
  const project = coolantProject();
  change(project);
  const reader = new ImageReader(buildImage(readLoose(project).toProject()));
  return signalRules(reader, reader.requireSignal(id));
};

describe('what a signal may be', () => {
  it('is limited by the raws of its bindings, scaled', () => {
    expect(rulesOf('pump', () => undefined)).toMatchObject({ minimum: '0', maximum: '100' });
    expect(rulesOf('coolant_f', () => undefined)).toMatchObject({
      minimum: '-3276.8',
      maximum: '3276.7',
    });
  });

  it('is turned round by a negative factor', () => {
    const rules = rulesOf('coolant_f', (project) => {
      project.codecs[1].factor = -2;
    });
    expect(rules).toMatchObject({ minimum: '-65534', maximum: '65536' });
  });

  it('is not limited where nothing sends it, or the wire is a float', () => {
    expect(rulesOf('coolant', () => undefined)).toMatchObject({ minimum: null, maximum: null });
  });

  it('has names for some values', () => {
    const labels = [{ value: '3', label: 'Drive' }];
    const rules = rulesOf('pump', (project) => {
      project.signals[2].labels = labels;
    });
    expect(rules).toMatchObject({ labels, label_total: 1 });
  });

  it('shows as many names as an answer has room for, and counts the rest', () => {
    const named = (count: number, label: string) =>
      rulesOf('pump', (project) => {
        const labels = Array.from({ length: count }, (_, index) => ({ value: `${index}`, label }));
        project.signals[2].labels = labels;
      });
    const many = named(1001, 'x');
    expect([many.labels.length, many.label_total]).toEqual([1000, 1001]);
    const wide = named(40, '€'.repeat(60_000));
    expect([wide.labels.length, wide.label_total]).toEqual([2, 40]);
    expect(wide.labels[1]?.value).toBe('1');
    const escaped = named(40, '\u0001'.repeat(65_536));
    expect(escaped.labels).toHaveLength(1);
  });

  it('belongs to a signal that is there', () => {
    const reader = new ImageReader(buildImage(readLoose(coolantProject()).toProject()));
    expect(() => reader.requireSignal('none')).toThrow('No such signal: none');
  });
});
