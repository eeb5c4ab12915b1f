import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../base/errors/table.ts';
import { errorsOf } from '../face-errors.ts';
import { OperationDescription } from '../operation.ts';
import { operations } from '../registry.ts';
import {
  partDrop,
  partLabel,
  partList,
  partMove,
  partShow,
  sampleOperations,
} from '../testing/sample-operations.ts';
import { describeCommands, describeOperation } from './describe.ts';

describe('describeOperation', () => {
  it.each([...operations, ...sampleOperations])('fits its own schema: $id', (operation) => {
    const description = describeOperation(operation);
    expect(Check(OperationDescription, description)).toBe(true);
    expect(JSON.parse(JSON.stringify(description))).toEqual(description);
  });

  it('tells what an operation is and where it runs', () => {
    expect(describeOperation(partMove)).toMatchObject({
      id: 'part.move',
      category: 'part',
      action: 'move',
      summary: 'Move a part',
      description: null,
      permission: 'operate',
      execution: { place: 'bench', daemon: 'start', streaming: false },
      cli: { usage: expect.stringMatching(/^busbar part move /), examples: [] },
      http: {
        available: true,
        method: 'POST',
        path: '/api/v1/parts/{part_id}/moves',
        reason: null,
      },
    });
    expect(describeOperation(partShow).description).toContain('Ids never change.');
  });

  it('tells both faces where each parameter goes', () => {
    const places = describeOperation(partMove).parameters.map(({ name, required, cli, http }) => ({
      name,
      required,
      cli,
      http,
    }));
    expect(places).toEqual([
      { name: 'store', required: true, cli: 'left|right', http: 'body' },
      { name: 'part_id', required: true, cli: '<part-id>', http: 'path' },
      { name: 'note', required: false, cli: '--note=<note>', http: 'body' },
      { name: 'plan_file', required: false, cli: '--plan-file=<plan-file>', http: 'body' },
    ]);
  });

  it('gives each parameter its type, its words and its schema', () => {
    const [, , limit] = describeOperation(partList).parameters;
    expect(limit).toMatchObject({
      name: 'limit',
      type: 'integer',
      description: 'At most this many',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      http: 'query',
    });
  });

  it('tells why there is no HTTP handler', () => {
    const { http, parameters } = describeOperation(partLabel);
    expect(http).toEqual({
      available: false,
      method: null,
      path: null,
      reason: 'Labels come out of a printer',
    });
    expect(parameters.map((parameter) => parameter.http)).toEqual([null, null, null]);
  });

  it('shows no command where there is none', () => {
    const { cli, parameters } = describeOperation(partDrop);
    expect(cli).toBeNull();
    expect(parameters.map((parameter) => parameter.cli)).toEqual([null, null]);
  });

  it('lists every code it can fail with, as the table has it', () => {
    const { errors } = describeOperation(partShow);
    expect(errors.map(({ code }) => code)).toEqual(errorsOf(partShow));
    const { status, exit, message, retryable } = errorTable.job_not_found;
    const faces = ['cli', 'http'];
    expect(errors).toContainEqual({
      code: 'job_not_found',
      status,
      exit,
      message,
      retryable,
      faces,
    });
    const facesOf = (name: string) => errors.find(({ code }) => code === name)?.faces;
    expect(facesOf('daemon_unreachable')).toEqual(['cli']);
    expect(facesOf('too_many_clients')).toEqual(['http']);
  });
});

describe('describeCommands', () => {
  it('holds the operations that have a command, in the order of the table', () => {
    const ids = describeCommands(sampleOperations).map(({ id }) => id);
    expect(ids).toEqual(['part.list', 'part.show', 'part.move', 'report', 'part.label']);
  });
});
