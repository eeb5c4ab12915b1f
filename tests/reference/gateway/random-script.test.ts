import { describe, expect, it } from 'vitest';
import { frameBindingsOf, type Tables, tablesOf } from './project.ts';
import { randomScript } from './random-script.ts';
import { runReference } from './reference.ts';
import type { Script, Trace } from './script.ts';

const seeds = 300;
const runs = Array.from({ length: seeds }, (_, seed): [Script, Trace, Tables] => {
  const script = randomScript(seed);
  return [script, runReference(script), tablesOf(script.project)];
});
const everySignal = runs.flatMap(([, { snapshots }]) =>
  snapshots.flatMap(({ signals }) => signals),
);
const everyTask = runs.flatMap(([, { snapshots }]) => snapshots.flatMap(({ tasks }) => tasks));

/** Expected values that were not found. */
const missing = (expected: readonly string[], found: Iterable<string | null | undefined>) => {
  const seen = new Set(found);
  return expected.filter((value) => !seen.has(value));
};

describe('random scripts', () => {
  it('begin with a start, and time never falls', () => {
    for (const [{ events }] of runs) {
      expect(events[0]?.kind).toBe('start');
      const times = events.map(({ atUs }) => atUs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });

  it('are the same for the same seed', () => {
    expect(randomScript(5)).toEqual(randomScript(5));
    expect(runReference(randomScript(5))).toEqual(runReference(randomScript(5)));
  });

  it('keep accepted = sent + failed + pending', () => {
    for (const { accepted, sent, failed, pending, unconfirmed } of everyTask) {
      expect(accepted).toBe(sent + failed + pending);
      expect(unconfirmed).toBeLessThanOrEqual(pending);
    }
  });

  it('lead to every quality, encoding error and error of a task', () => {
    const qualities = ['good', 'initial', 'timeout', 'disconnected', 'invalid', 'not_available'];
    const others = ['error', 'e2e_error', 'transform_error', 'skew', 'expired', 'input_invalid'];
    const found = everySignal.map(({ quality }) => quality);
    expect(missing([...qualities, ...others], found)).toEqual([]);
    const errors = everySignal.flatMap(({ bindings }) => bindings.map(({ error }) => error));
    expect(missing(['out_of_range', 'reserved_code', 'inexact'], errors)).toEqual([]);
    const codes = ['bus_off', 'channel_not_open', 'tx_failed', 'fault_conflict'];
    expect(
      missing(
        codes,
        everyTask.map(({ error }) => error),
      ),
    ).toEqual([]);
  });

  it('move every counter', () => {
    const moved = everyTask.flatMap((task) =>
      Object.entries(task).flatMap(([name, value]) =>
        typeof value === 'number' && value > 0 ? [name] : [],
      ),
    );
    const counters = Object.entries(everyTask[0] ?? {}).flatMap(([name, value]) =>
      typeof value === 'number' ? [name] : [],
    );
    expect(counters.length).toBeGreaterThan(15);
    expect(missing(counters, moved)).toEqual([]);
    const rejected = runs.map(([, { snapshots }]) => snapshots.at(-1)?.rejected);
    for (const kind of ['remote', 'short', 'e2e'] as const) {
      expect(rejected.some((counts) => (counts?.[kind] ?? 0) > 0)).toBe(true);
    }
  });

  it('have every kind of profile, codec, transformation, waveform and fault', () => {
    const tables = runs.map(([, , one]) => one);
    const codecs = tables.flatMap((one) => one.codecs);
    const profiles = [
      '1A',
      '1B',
      '1C',
      '1LOW',
      '2',
      '4',
      '5',
      '6',
      '7',
      '11A',
      '11C',
      '22',
      'free',
    ];
    const directions = ['check', 'protect'].flatMap((direction) =>
      profiles.map((profile) => `${direction} ${profile}`),
    );
    const used = tables.flatMap((one) =>
      one.e2e.map((row) => {
        const codec = one.codecs.find(({ id }) => id === row.codec);
        return `${row.direction} ${codec?.kind === 'e2e' ? codec.profile : ''}`;
      }),
    );
    expect(missing(directions, used)).toEqual([]);
    const raws = codecs.map((codec) => (codec.kind === 'linear' ? codec.raw : ''));
    expect(missing(['unsigned', 'signed', 'float32', 'float64', 'bool'], raws)).toEqual([]);
    const transforms = tables.flatMap((one) => one.mappings.map(({ transform }) => transform));
    const names = transforms.map((row) => row?.function ?? row?.kind ?? 'default');
    const basic = ['default', 'identity', 'linear', 'threshold'];
    const math =
      'add mul min max average and or xor sub div mod pow atan2 abs neg sqrt exp ln log10 sin cos tan asin acos atan floor ceil round not select';
    const space =
      'polar_to_cartesian cartesian_to_polar rotate_2d spherical_to_cartesian cartesian_to_spherical wgs84_to_enu enu_to_wgs84';
    expect(missing([...basic, ...math.split(' '), ...space.split(' ')], names)).toEqual([]);
    const waveforms = tables.flatMap((one) => one.signals.map(({ waveform }) => waveform?.kind));
    expect(missing(['step', 'sine', 'triangle', 'square', 'ramp'], waveforms)).toEqual([]);
    const faults =
      'drop repeat bypass suppress xor_byte set_byte freeze_counter counter_jump corrupt_checksum';
    const rules = tables.flatMap((one) => one.fault_rules.map(({ kind }) => kind));
    expect(missing(faults.split(' '), rules)).toEqual([]);
  });

  it('have pages within pages', () => {
    const nested = runs.some(([, , tables]) => {
      const bindings = frameBindingsOf(tables);
      return bindings.some(({ mux }) =>
        bindings.some((selector) => selector.id === mux?.selector && selector.mux !== undefined),
      );
    });
    expect(nested).toBe(true);
  });
});
