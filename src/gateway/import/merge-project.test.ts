import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProject } from '../project/load-project.ts';
import type { Project } from '../project/project.ts';
import { coolantProject, type LooseProject } from '../project/testing/coolant-project.ts';
import { projectText } from '../project/write-project.ts';
import { mergeProject } from './import-project.ts';
import { importText, messageText, refusalOf } from './testing/import-text.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const loaded = (project: LooseProject): Project => loadProject(bytesOf(JSON.stringify(project)));
const pump = readFileSync(join(import.meta.dirname, '../../../tests/golden/gwproj/pump.dbc'));
const line = ' SG_ S : 0|8@1+ (1,0) [0|0] "" B\n';

describe('mergeProject', () => {
  it('puts the rows of one file for two networks into one valid project', () => {
    const received = importText(pump, { network: 'vehicle', staleAfterMs: 0 }).project;
    const sent = importText(pump, {
      network: 'rig',
      direction: 'tx',
      missingCycle: 'on_change',
    }).project;
    const merged = mergeProject(received, sent);
    const text = [...projectText(merged)].join('');
    expect(loadProject(bytesOf(text))).toEqual(merged);
    expect(merged.endpoints.map(({ id }) => id)).toEqual(['vehicle', 'rig']);
    expect(merged.messages).toEqual([...received.messages, ...sent.messages]);
    expect(merged.header.provenance.map(({ direction }) => direction)).toEqual(['rx', 'tx']);
  });

  it('keeps what is there as it is, behind which the rest goes', () => {
    const existing = loaded({
      ...coolantProject(),
      name: 'Coolant',
      description: 'For the bench',
      $schema: 'gwproj.schema.json',
    });
    existing.signals[0] = { ...existing.signals[0], comment: 'Mine' } as Project['signals'][number];
    const before = structuredClone(existing);
    const { project } = importText(messageText(line), { network: 'body' });
    const merged = mergeProject(existing, project);
    expect(existing).toEqual(before);
    expect(merged.header).toEqual({
      ...before.header,
      provenance: project.header.provenance,
    });
    expect(merged.signals).toEqual([...before.signals, ...project.signals]);
    expect(merged.mappings).toEqual(before.mappings);
    expect(merged.endpoints).toHaveLength(3);
  });

  it('adds to the endpoint that a network has, whatever its id and comment', () => {
    const existing = loaded(coolantProject());
    existing.endpoints[0] = {
      id: 'pt',
      kind: 'can',
      network: 'powertrain',
      comment: 'Left rack',
    };
    existing.messages.forEach((row) => {
      row.endpoint = 'pt';
    });
    const { project } = importText(messageText(line), { network: 'powertrain' });
    const merged = mergeProject(existing, project);
    expect(merged.endpoints).toEqual(existing.endpoints);
    expect(merged.messages.at(-1)).toMatchObject({ id: 'powertrain.M', endpoint: 'pt' });
    const text = [...projectText(merged)].join('');
    expect(loadProject(bytesOf(text))).toEqual(merged);
  });

  it('names every id that both have, and refuses them together', () => {
    const { project } = importText(messageText(line));
    const refusal = refusalOf(() => mergeProject(project, structuredClone(project)));
    expect(refusal).toMatchObject({
      code: 'invalid_project',
      details: {
        field: 'merge',
        total: 4,
        problems: [
          { table: 'signals', row: 'net.M.S', index: 0, field: 'id', code: 'duplicate_id' },
          { table: 'codecs', row: 'net.M.S', code: 'duplicate_id' },
          { table: 'messages', row: 'net.M', code: 'duplicate_id' },
          { table: 'bindings', row: 'net.M.S.rx', code: 'duplicate_id' },
        ],
      },
    });
    expect(refusal.message).toContain('signals[0] "net.M.S": id');
  });

  it('refuses tasks of one id', () => {
    const one = importText(messageText(line), { direction: 'tx' }).project;
    const { details } = refusalOf(() => mergeProject(one, one));
    expect(details.problems).toContainEqual(expect.objectContaining({ table: 'tx_tasks' }));
  });

  it('refuses an identifier that another message of the network has in the same direction', () => {
    const existing = loaded(coolantProject());
    const engine = (number: number): string => `BO_ ${number} Motor: 8 A\n${line}`;
    const merge = (number: number, options = {}) =>
      mergeProject(
        existing,
        importText(engine(number), { network: 'powertrain', staleAfterMs: 0, ...options }).project,
      );
    expect(refusalOf(() => merge(256))).toMatchObject({
      code: 'invalid_project',
      details: {
        total: 1,
        problems: [
          { table: 'messages', row: 'Engine', field: 'can_id', code: 'duplicate_message' },
        ],
      },
    });
    expect(refusalOf(() => merge(256)).message).toContain('powertrain.Motor');
    // A different direction, format or network is no conflict.
    expect(merge(256, { direction: 'tx', missingCycle: 'on_change' }).messages).toHaveLength(3);
    expect(merge(0x8000_0100).messages).toHaveLength(3);
    expect(merge(256, { network: 'body' }).messages).toHaveLength(3);
  });

  it('refuses an endpoint whose id stands for another network', () => {
    const existing = loaded(coolantProject());
    const { project } = importText(messageText(line), { network: 'plc' });
    expect(refusalOf(() => mergeProject(existing, project)).details).toMatchObject({
      problems: [{ table: 'endpoints', row: 'plc', index: 1, code: 'duplicate_id' }],
    });
  });
});
