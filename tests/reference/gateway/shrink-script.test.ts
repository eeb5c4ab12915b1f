import { expect, it } from 'vitest';
import { loadProject } from '../../../src/gateway/project/load-project.ts';
import { tablesOf } from './project.ts';
import { randomModbusScript, randomScript } from './random-script.ts';
import { runReference } from './reference.ts';
import type { Script } from './script.ts';
import { shrinkScript } from './shrink-script.ts';

/** A task has had a conflict of faults. */
const hasConflict = (script: Script): boolean =>
  runReference(script).snapshots.some(({ tasks }) =>
    tasks.some(({ faultConflicts }) => faultConflicts > 0),
  );

it('leaves what a difference needs, in a project that is still valid', () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => seed);
  const seed = seeds.find((one) => hasConflict(randomScript(one))) ?? -1;
  const script = randomScript(seed);
  const shrunk = shrinkScript(script, hasConflict);
  expect(hasConflict(shrunk)).toBe(true);
  expect(shrunk.events[0]?.kind).toBe('start');
  expect(shrunk.events.length).toBeLessThan(script.events.length / 2);
  expect(tablesOf(shrunk.project).tx_tasks).toHaveLength(1);
  const fewer = shrunk.events.slice(1).map((event) => shrunk.events.filter((one) => one !== event));
  expect(fewer.filter((events) => hasConflict({ ...shrunk, events }))).toEqual([]);
  expect(() => loadProject(new TextEncoder().encode(JSON.stringify(shrunk.project)))).not.toThrow();
});

/** A task has read words to write bits of them. */
const hasModified = (script: Script): boolean =>
  runReference(script).groups.some(({ steps }) => steps.some((step) => 'reads' in step));

it('leaves valid resources and tasks of Modbus', () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => seed);
  const scripts = seeds.map(randomModbusScript).filter(hasModified);
  expect(scripts.length).toBeGreaterThan(1);
  for (const script of scripts.slice(0, 4)) {
    const { project, events } = shrinkScript(script, hasModified);
    expect(() => loadProject(new TextEncoder().encode(JSON.stringify(project)))).not.toThrow();
    // A validity bit needs its binding, which another task may write.
    expect(tablesOf(project).tx_tasks.length).toBeLessThanOrEqual(2);
    expect(events.length).toBeLessThan(4);
  }
});

it('keeps starts and stops in turn', () => {
  const script = randomScript(0);
  const isLate = ({ events }: Script): boolean => (events.at(-1)?.atUs ?? 0) > 1_500_000;
  const kinds = shrinkScript(script, isLate).events.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'start')).toHaveLength(1);
  expect(kinds).toHaveLength(2);
});
