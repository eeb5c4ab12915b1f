import { describe, expect, it } from 'vitest';
import { cases } from '../../../src/base/testing/long.ts';
import { Checker } from '../../../src/e2e/checker.ts';
import { compileLayout } from '../../../src/e2e/layout.ts';
import { Protector } from '../../../src/e2e/protector.ts';
import { loadProject } from '../../../src/gateway/project/load-project.ts';
import type { E2eCodec } from '../../../src/gateway/project/tables/codecs.ts';
import { compileTransform } from '../../../src/gateway/transforms/compile-transform.ts';
import { compileWaveform } from '../../../src/gateway/transforms/compile-waveform.ts';
import { Slots } from '../../../src/gateway/values/slots.ts';
import { layoutOf, protect, wrapCounter } from './e2e.ts';
import { Check } from './e2e-check.ts';
import { override } from './faults.ts';
import { containerOf, type SignalType, tablesOf } from './project.ts';
import { Random } from './random.ts';
import { randomProject } from './random-project.ts';
import { smallValue, wideValue } from './random-signals.ts';
import { createSignal } from './signals.ts';
import { runTransform } from './transforms.ts';
import { parseValue, type Value, valueText } from './values.ts';
import { valueAt } from './waveforms.ts';

/** Pure parts of the product compared with the reference, over random projects. */
const seeds = Number(process.env.REFERENCE_SEEDS ?? cases(25, 200));
const projects = Array.from({ length: seeds }, (_, seed) => {
  const project = randomProject(seed);
  const bytes = new TextEncoder().encode(JSON.stringify(project));
  return { tables: tablesOf(project), loaded: loadProject(bytes), random: new Random(seed) };
});

const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');

const protections = projects.flatMap(({ tables, loaded, random }) =>
  tables.e2e.flatMap((row) => {
    const own = tables.codecs.find(({ id }) => id === row.codec);
    const theirs = loaded.codecs.find(({ id }) => id === row.codec);
    if (own?.kind !== 'e2e' || theirs?.kind !== 'e2e') return [];
    return [{ own, theirs: theirs as E2eCodec, random, bytes: containerOf(tables, row).length }];
  }),
);

describe('protection and the reference', () => {
  it('write the same frames, faults included', () => {
    expect(protections.length).toBeGreaterThan(seeds / 2);
    for (const { own, theirs, random, bytes } of protections) {
      const layout = layoutOf(own, bytes);
      const protector = new Protector(compileLayout(theirs, bytes));
      let counter = layout.counterInitial;
      for (let frame = 0; frame < 8; frame += 1) {
        const mine = new Uint8Array(bytes).map(() => random.integer(0, 255));
        const product = Uint8Array.from(mine);
        protect(layout, mine, counter);
        protector.protect(product, 0);
        const protection = { layout, data: mine, nextCounter: wrapCounter(layout, counter + 1n) };
        const rule = { id: 'rule', task: 'task' };
        switch (random.integer(0, 5)) {
          case 0:
            override({ ...rule, kind: 'freeze_counter' }, mine, protection);
            protector.freezeCounter(product, 0);
            break;
          case 1:
            override({ ...rule, kind: 'counter_jump', value: '-3' }, mine, protection);
            protector.jumpCounter(product, 0, -3);
            break;
          case 2:
            override({ ...rule, kind: 'corrupt_checksum', mask: 5 }, mine, protection);
            protector.corruptChecksum(product, 0, 5);
            break;
          case 3:
            override({ ...rule, kind: 'freeze_counter', value: '1' }, mine, protection);
            override({ ...rule, kind: 'counter_jump', value: '7' }, mine, protection);
            protector.freezeCounter(product, 0, 1);
            protector.jumpCounter(product, 0, 7);
            break;
        }
        expect(`${own.profile} ${hex(product)}`).toBe(`${own.profile} ${hex(mine)}`);
        if (random.chance(0.8)) {
          counter = protection.nextCounter;
          protector.commit();
        } else protector.discard();
      }
    }
  });

  it('judge frames alike', () => {
    for (const { own, theirs, random, bytes } of protections) {
      const check = new Check(own, bytes);
      const checker = new Checker(compileLayout(theirs, bytes), theirs);
      let counter = check.layout.counterInitial;
      for (let frame = 0; frame < 30; frame += 1) {
        const data = new Uint8Array(bytes).map(() => random.integer(0, 255));
        counter = wrapCounter(
          check.layout,
          counter + BigInt(random.pick([0, 1, 1, 1, 1, 2, 3, 5])),
        );
        protect(check.layout, data, counter);
        const at = random.integer(0, bytes - 1);
        if (random.chance(0.15)) data[at] = (data[at] ?? 0) ^ 4;
        const product = `${checker.check(data, 0)} ${checker.isValid}`;
        expect(product).toBe(`${check.check(data, 0)} ${check.isValid}`);
      }
    }
  });
});

/** Slots with values. */
const slotsOf = (values: readonly Value[]): Slots => {
  const slots = new Slots(values.length);
  for (const [place, value] of values.entries()) slots.setValue(place, value);
  return slots;
};

const textIn = (slots: Slots, place: number, type: SignalType): string =>
  type === 'float64' ? String(slots.double(place)) : String(slots.integer(place));

const areNear = (a: string, b: string): boolean =>
  a === b || Math.abs(Number(a) - Number(b)) <= Math.max(1e-5, 1e-9 * Math.abs(Number(a)));

describe('transformations and the reference', () => {
  it('compute the same', () => {
    for (const { tables, loaded, random } of projects) {
      for (const [index, mapping] of tables.mappings.entries()) {
        const transform = loaded.mappings[index]?.transform;
        if (transform === undefined || transform.kind === 'native') continue;
        const typeOf = (id: string): SignalType =>
          tables.signals.find((signal) => signal.id === id)?.type ?? 'float64';
        const [inputs, outputs] = [mapping.inputs.map(typeOf), mapping.outputs.map(typeOf)];
        const program = compileTransform(transform, inputs, outputs);
        const memory = { isAbove: false };
        for (let run = 0; run < 12; run += 1) {
          const isWide = transform.kind !== 'coordinate' && random.chance(0.3);
          const texts = inputs.map((type) => (isWide ? wideValue : smallValue)(random, type));
          const values = texts.map(
            (text, place) => parseValue(inputs[place] ?? 'bool', text) ?? 0n,
          );
          const expected = runTransform(
            mapping.transform ?? { kind: 'identity' },
            values,
            outputs,
            memory,
          );
          const slots = new Slots(outputs.length);
          const isDone = program.run(slotsOf(values), slots);
          const about = `${JSON.stringify(transform)} of ${inputs} ${texts} as ${outputs}`;
          expect(`${about}: ${isDone}`).toBe(`${about}: ${expected !== undefined}`);
          expected?.forEach((value, place) => {
            const type = outputs[place] ?? 'float64';
            const found = textIn(slots, place, type);
            const wanted = type === 'float64' ? String(value) : valueText(value);
            const isSame =
              transform.kind === 'coordinate' ? areNear(found, wanted) : found === wanted;
            expect(`${about}: ${isSame ? wanted : found}`).toBe(`${about}: ${wanted}`);
          });
        }
      }
    }
  });

  it('have the same waveforms', () => {
    for (const { tables, loaded, random } of projects) {
      for (const [index, row] of tables.signals.entries()) {
        const waveform = loaded.signals[index]?.waveform;
        if (waveform === undefined) continue;
        const program = compileWaveform(waveform, row.type);
        const slots = new Slots(1);
        const sampleUs = 1000 * (row.waveform?.sample_ms ?? 10);
        for (let run = 0; run < 12; run += 1) {
          const timeUs = sampleUs * random.integer(0, 200);
          const expected = valueAt(createSignal(row), timeUs);
          expect(program.sample(timeUs, slots)).toBe(true);
          expect(textIn(slots, 0, row.type)).toBe(String(expected));
        }
      }
    }
  });
});
