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
