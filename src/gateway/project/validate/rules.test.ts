import { describe, expect, it } from 'vitest';
import { problemCodes } from '../problem-codes.ts';
import { readLoose, readText } from '../testing/read-text.ts';
import { checkBitOverlaps } from './bit-overlaps.ts';
import { ProjectLinks } from './project-links.ts';
import {
  bindingCases,
  messageCases,
  muxCases,
  overlapCases,
  pduCases,
} from './testing/cases/can.ts';
import { codecCases, e2eCases, e2eCodecCases } from './testing/cases/codecs.ts';
import { circleCases, mappingCases } from './testing/cases/mappings.ts';
import { endpointCases, registerCases, resourceCases } from './testing/cases/modbus.ts';
import { referenceCases } from './testing/cases/references.ts';
import { signalCases, writerCases } from './testing/cases/signals.ts';
import { faultCases, pluginCases, taskCases } from './testing/cases/tasks.ts';
import { plantProject } from './testing/plant-project.ts';
import { change, describeProblems, problemsOf, validated } from './testing/problem-cases.ts';

const rules = {
  references: referenceCases,
  endpoints: endpointCases,
  'values of signals': signalCases,
  'writers of signals': writerCases,
  codecs: codecCases,
  'codecs of protection': e2eCodecCases,
  messages: messageCases,
  pdus: pduCases,
  'modbus resources': resourceCases,
  bindings: bindingCases,
  'bindings to resources': registerCases,
  'bits of sent messages': overlapCases,
  multiplexing: muxCases,
  mappings: mappingCases,
  circles: circleCases,
  'tx tasks': taskCases,
  'end-to-end protection': e2eCases,
  'fault rules': faultCases,
  plugins: pluginCases,
};

for (const [subject, cases] of Object.entries(rules)) describeProblems(subject, cases);

describe('circles', () => {
  it('are named in the order in which values go round', () => {
    const project = change(plantProject(), { 'mappings.mean.inputs': ['speed', 'chosen'] });
    expect(validated(project).problems.shown[0]?.message).toContain(
      'in a circle: "mean" → "guard" → "choose" → "mean"',
    );
  });
});

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

describe('problem codes', () => {
  const head = '"format":"gwproj","schema_version":1';
  const codec = '"id":"c","kind":"linear","raw":"bool"';
  const shapes = [
    '{',
    `{${head},"colour":1,"name":"a","name":5}`,
    `{${head},"codecs":[{${codec},"factor":9007199254740993},{${codec},"byte_order":"odd"}]}`,
    `{${head},"id":"a b"}`,
  ];

  it('are all reported by some project here', () => {
    const met = new Set<string>(['too_complex']);
    for (const text of shapes) for (const { code } of readText(text).problems.shown) met.add(code);
    for (const [, , problems] of Object.values(rules).flat()) {
      for (const problem of problems) met.add(problem.split(' ').at(-1) ?? '');
    }
    expect([...met].sort()).toEqual(Object.keys(problemCodes).sort());
  });
});
