import { describe, expect, it } from 'vitest';
import { StringPool } from '../memory/string-pool.ts';
import { coolantProject, type LooseProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { plantProject } from '../project/validate/testing/plant-project.ts';
import { packGraph } from './packed-graph.ts';
import { graphEdges, graphNodes } from './project-graph.ts';

const projectOf = (loose: LooseProject) => readLoose(loose).toProject();
const edgesOf = (loose: LooseProject): string[] =>
  [...graphEdges(projectOf(loose))].map(
    ({ source, target, binding }) => `${source} > ${target}${binding ? ` by ${binding}` : ''}`,
  );

describe('the graph of a project', () => {
  it('leads from endpoints to tasks', () => {
    expect(edgesOf(coolantProject())).toEqual([
      'endpoint:powertrain > message:Engine',
      'endpoint:plc > resource:reg_pump',
      'message:Engine > signal:coolant by coolant.rx',
      'signal:coolant_f > resource:reg_coolant by coolant.reg',
      'resource:reg_pump > signal:pump by pump.reg',
      'signal:pump > message:PumpCommand by pump.tx',
      'signal:coolant > mapping:to_fahrenheit',
      'mapping:to_fahrenheit > signal:coolant_f',
      'message:PumpCommand > task:PumpCommand',
    ]);
    expect([...graphNodes(projectOf(coolantProject()))].at(-1)).toEqual({
      group: 'nodes',
      id: 'task:PumpCommand',
      kind: 'task',
      row: 'PumpCommand',
      endpoint: 'powertrain',
      detail: 'every 20 ms',
      protection: null,
    });
  });

  it('contains the end-to-end protection of messages, without settings if a plugin has them', () => {
    const loose = coolantProject();
    const settings = { profile: '5', data_id: 7, max_delta_counter: 2 };
    loose.codecs = [...(loose.codecs ?? []), { id: 'guard', kind: 'e2e', ...settings }];
    loose.pdus = [{ id: 'part', message: 'Engine', byte_offset: 2, length: 4 }];
    loose.e2e = [{ id: 'check', pdu: 'part', direction: 'check', codec: 'guard' }];
    const protectionOf = () =>
      [...graphNodes(projectOf(loose))].find(({ id }) => id === 'message:Engine')?.protection;
    const place = { direction: 'check', first_byte: 2, length: 4 };
    expect(protectionOf()).toEqual({ ...place, settings });
    loose.codecs[loose.codecs.length - 1] = { id: 'guard', kind: 'native', plugin: 'p' };
    expect(protectionOf()).toEqual({ ...place, settings: null });
  });

  it('says of every row what tells it from others of its kind', () => {
    const detailsOf = (loose: LooseProject) =>
      Object.fromEntries(
        [...graphNodes(projectOf(loose))].map(({ id, detail }) => [id, detail] as const),
      );
    expect(detailsOf(coolantProject())).toEqual({
      'endpoint:powertrain': 'CAN',
      'endpoint:plc': 'Modbus server, unit 1',
      'message:Engine': '100',
      'message:PumpCommand': '200',
      'resource:reg_coolant': 'input 0',
      'resource:reg_pump': 'holding 10',
      'signal:coolant': 'input',
      'signal:coolant_f': 'derived',
      'signal:pump': 'input',
      'mapping:to_fahrenheit': '× 1.8 + 32',
      'task:PumpCommand': 'every 20 ms',
    });
    const transforms = [
      [{ kind: 'linear', k: 2, b: -0.5 }, '× 2 − 0.5'],
      [{ kind: 'linear' }, 'identity'],
      [{ kind: 'threshold', threshold: 3 }, '≥ 3'],
      [{ kind: 'math', function: 'neg' }, 'neg'],
      [{ kind: 'coordinate', function: 'rotate_2d', angle_deg: 90 }, 'rotate_2d'],
    ] as const;
    for (const [transform, detail] of transforms) {
      const loose = coolantProject();
      loose.mappings[0].transform = transform;
      expect(detailsOf(loose)['mapping:to_fahrenheit']).toBe(detail);
    }
  });

  it('has PDUs, resources and processors in their places', () => {
    const project = projectOf(plantProject());
    const ids = new Set([...graphNodes(project)].map(({ id }) => id));
    const edges = [...graphEdges(project)];
    for (const { source, target } of edges) {
      expect(ids.has(source), source).toBe(true);
      expect(ids.has(target), target).toBe(true);
    }
    for (const { id, message } of project.pdus) {
      const isReceived = project.messages.find((row) => row.id === message)?.direction === 'rx';
      const [source, target] = isReceived
        ? [`message:${message}`, `pdu:${id}`]
        : [`pdu:${id}`, `message:${message}`];
      expect(edges).toContainEqual({ group: 'edges', source, target, binding: null });
    }
    const kinds = new Set([...graphNodes(project)].map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(
      ['endpoint', 'mapping', 'message', 'pdu', 'processor', 'resource', 'signal', 'task'].sort(),
    );
  });

  it('is packed with its nodes first, and no edge twice', () => {
    const loose = coolantProject();
    loose.mappings[0] = {
      id: 'sum',
      inputs: ['coolant', 'coolant'],
      outputs: ['coolant_f'],
      transform: { kind: 'math', function: 'add' },
    };
    const { nodes, edges, elements } = packGraph(projectOf(loose));
    const strings = new StringPool(elements);
    const groups = Array.from(
      { length: nodes + edges },
      (_, index) => JSON.parse(strings.at(index + 1) ?? '').group,
    );
    expect([nodes, edges]).toEqual([11, 9]);
    expect(groups).toEqual([...Array(11).fill('nodes'), ...Array(9).fill('edges')]);
  });
});
