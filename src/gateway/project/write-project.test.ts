import { describe, expect, it } from 'vitest';
import { coolantProject } from './testing/coolant-project.ts';
import { readLoose, readText } from './testing/read-text.ts';
import { projectText } from './write-project.ts';

const saved = (text: string): string => {
  const draft = readText(text);
  expect(draft.problems.shown).toEqual([]);
  return [...projectText(draft.toProject())].join('');
};

describe('projectText', () => {
  it('is the same after every load', () => {
    const once = saved(JSON.stringify(coolantProject()));
    expect(saved(once)).toBe(once);
    expect(once.endsWith('\n}\n')).toBe(true);
    expect(JSON.parse(once)).toEqual(coolantProject());
  });

  it.each([1.8446744073709552e19, -(2 ** 65), 1e21, 2 ** 70])('keeps the parameter %d', (k) => {
    const project = coolantProject();
    project.mappings[0].transform.k = k;
    const once = saved(JSON.stringify(project).replace(/"k":[^,]+/, `"k":${k.toExponential()}`));
    expect(saved(once)).toBe(once);
    expect(JSON.parse(once).mappings[0].transform.k).toBe(k);
  });

  it('has fields in their order, rows in theirs, and no defaults', () => {
    const text = saved(
      JSON.stringify({
        tx_tasks: [{ mode: 'value', comment: 'why', message: 'm', id: 'late' }],
        schema_version: 1,
        signals: [
          { unit: 'V', producer: 'software', type: 'float64', id: 'z' },
          { producer: 'software', type: 'bool', id: 'a' },
        ],
        mappings: [
          {
            outputs: ['a'],
            inputs: ['z'],
            id: 'm',
            transform: { below: '0', kind: 'threshold', threshold: 1 },
          },
          { outputs: ['b'], inputs: ['z'], id: 'n', transform: { kind: 'identity' } },
        ],
        provenance: [],
        codecs: [],
        format: 'gwproj',
      }),
    );
    expect(text).toBe(`{
  "format": "gwproj",
  "schema_version": 1,
  "signals": [
    {
      "id": "z",
      "type": "float64",
      "producer": "software",
      "unit": "V"
    },
    {
      "id": "a",
      "type": "bool",
      "producer": "software"
    }
  ],
  "mappings": [
    {
      "id": "m",
      "inputs": [
        "z"
      ],
      "outputs": [
        "a"
      ],
      "transform": {
        "kind": "threshold",
        "threshold": 1
      }
    },
    {
      "id": "n",
      "inputs": [
        "z"
      ],
      "outputs": [
        "b"
      ]
    }
  ],
  "tx_tasks": [
    {
      "id": "late",
      "message": "m",
      "comment": "why"
    }
  ]
}
`);
  });

  it('has no fields that say what is so without them', () => {
    const rows = (given: object[], table: string): unknown[] => {
      const project = { format: 'gwproj', schema_version: 1, [table]: given };
      return JSON.parse(saved(JSON.stringify(project)))[table];
    };
    const codec = { id: 'c', kind: 'e2e' };
    const codecs = [
      { ...codec, id: 'a', profile: '1A', counter_initial: '0', sync_counter_init: 0 },
      { ...codec, id: 'b', profile: '2', counter_initial: '1' },
      { ...codec, profile: '2', counter_initial: '0' },
    ];
    expect(rows(codecs, 'codecs')).toEqual([
      { ...codec, id: 'a', profile: '1A' },
      { ...codec, id: 'b', profile: '2' },
      { ...codec, profile: '2', counter_initial: '0' },
    ]);
    const unit = { endpoint: 'e', table: 'holding', address: 0 };
    const polled = { ...unit, access: 'poll' };
    const external = { ...unit, access: 'external' };
    const resources = [
      { id: 'a', ...polled, count: 1, poll_ms: 1000, stale_after_ms: 3000 },
      { id: 'b', ...polled, count: 2, poll_ms: 500, stale_after_ms: 1500 },
      { id: 'c', ...polled, poll_ms: 500, stale_after_ms: 3000 },
      { id: 'd', ...polled, stale_after_ms: 0 },
      { id: 'e', ...external, stale_after_ms: 0 },
      { id: 'f', ...external, stale_after_ms: 3000 },
    ];
    expect(rows(resources, 'modbus_resources')).toEqual([
      { id: 'a', ...polled },
      { id: 'b', ...polled, count: 2, poll_ms: 500 },
      { id: 'c', ...polled, poll_ms: 500, stale_after_ms: 3000 },
      { id: 'd', ...polled, stale_after_ms: 0 },
      { id: 'e', ...external },
      { id: 'f', ...external, stale_after_ms: 3000 },
    ]);
    const tasks = [
      { id: 'a', message: 'm', policy: 'periodic', period_ms: 10 },
      { id: 'b', message: 'n', policy: 'on_change', min_interval_ms: 0 },
    ];
    expect(rows(tasks, 'tx_tasks')).toEqual([
      { id: 'a', message: 'm', period_ms: 10 },
      { id: 'b', message: 'n', policy: 'on_change' },
    ]);
    const plugin = { id: 'p', kind: 'processor', library: 'plugins/p.so', entry: 'p' };
    expect(rows([{ ...plugin, trigger: 'on_input' }], 'plugins')).toEqual([plugin]);
  });

  it('keeps what a plugin is told, to the digit', () => {
    const project = coolantProject();
    project.plugins = [
      {
        id: 'p',
        kind: 'codec',
        library: 'plugins/x.so',
        entry: 'f',
        context: { b: 'N', a: [1, null] },
      },
    ];
    const text = JSON.stringify(project).replace('"N"', '18446744073709551615');
    expect(saved(text)).toContain('"b": 18446744073709551615,\n        "a": [');
  });

  it('is nothing but a header for a project without rows', () => {
    const { problems } = readLoose({ format: 'gwproj', schema_version: 1 });
    expect(problems.total).toBe(0);
    expect(saved('{"schema_version":1,"format":"gwproj"}')).toBe(
      '{\n  "format": "gwproj",\n  "schema_version": 1\n}\n',
    );
  });
});
