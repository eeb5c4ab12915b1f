import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { loadProject } from './load-project.ts';
import { coolantProject, type LooseProject } from './testing/coolant-project.ts';

const bytesOf = (project: LooseProject): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(project));

const refusal = (project: LooseProject, file?: string): BusbarError => {
  try {
    loadProject(bytesOf(project), file);
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
  throw new Error('The project was loaded');
};

describe('loadProject', () => {
  it('gives a sound project with its defaults', () => {
    const project = loadProject(bytesOf(coolantProject()), 'coolant.gwproj');
    expect(project.header.id).toBe('coolant');
    expect(project.tx_tasks).toEqual([
      { id: 'PumpCommand', message: 'PumpCommand', mode: 'value' },
    ]);
  });

  it('tells every problem, of fields and of rows that do not fit together', () => {
    const project = coolantProject();
    project.signals[0].initial = 'warm';
    project.mappings[0].outputs = ['nothing'];
    project.messages[0].length = 9;
    const { code, message, details } = refusal(project, 'coolant.gwproj');
    expect(code).toBe('invalid_project');
    expect(message).toBe(
      'The project has 4 problems, first of them: signals[0] "coolant": initial must be a decimal number in quotes, such as "780.5" or "-3"',
    );
    expect(details).toMatchObject({ file: 'coolant.gwproj', total: 4 });
    expect(details.problems).toEqual([
      {
        table: 'signals',
        row: 'coolant',
        index: 0,
        field: 'initial',
        code: 'invalid_text',
        message: expect.any(String),
      },
      {
        table: 'mappings',
        row: 'to_fahrenheit',
        index: 0,
        field: 'outputs[0]',
        code: 'dangling_reference',
        message:
          'mappings[0] "to_fahrenheit": outputs[0] must be the id of a row in signals; "nothing" does not exist',
      },
      {
        table: 'signals',
        row: 'coolant_f',
        index: 1,
        field: 'producer',
        code: 'no_writer',
        message: expect.stringContaining('signals[1] "coolant_f": producer requires'),
      },
      {
        table: 'messages',
        row: 'Engine',
        index: 0,
        field: 'length',
        code: 'invalid_length',
        message: 'messages[0] "Engine": length must be at most 8, or fd must be true',
      },
    ]);
  });

  it('leaves the file out of the details if it has no name, and shows 200 problems at most', () => {
    const project = coolantProject();
    project.messages[0].length = 9;
    expect(refusal(project).message).toMatch(
      /^The project has a problem: messages\[0\] "Engine": /,
    );
    expect(refusal(project).details).not.toHaveProperty('file');
    project.pdus = Array.from({ length: 300 }, (_, index) => ({
      id: `pdu${index}`,
      message: 'None',
      byte_offset: 0,
      length: 1,
    }));
    const { details } = refusal(project);
    // Each names no message, and all but the first share its byte.
    expect(details.total).toBe(1 + 300 + 299);
    expect(details.problems).toHaveLength(200);
  });

  it('says that a feature is unsupported before anything else', () => {
    const project = coolantProject();
    project.format = 'other';
    const check = { message: 'Engine', direction: 'check', codec: 'none' };
    project.e2e = [
      { id: 'one', ...check },
      { id: 'two', ...check },
    ];
    expect(refusal(project).code).toBe('unsupported_gateway_feature');
  });
});
