import { BusbarError } from '../../../src/base/errors/busbar-error.ts';
import { loadProject } from '../../../src/gateway/project/load-project.ts';
import type { Problem } from '../../../src/gateway/project/problems.ts';
import { rowSchemas } from '../../../src/gateway/project/project.ts';
import { tableDescriptions } from '../../../src/gateway/project/project-schema.ts';
import { keywordsOf } from '../../../src/gateway/project/shape.ts';
import { tableNames } from '../../../src/gateway/project/table-names.ts';
import type { ValidateRequest, ValidatorAnswer } from './editor-messages.ts';
import type { TableSchema } from './row-schema.ts';

export const tableSchemas = (): readonly TableSchema[] =>
  tableNames.map((name) => ({
    name,
    description: tableDescriptions[name],
    row: JSON.parse(JSON.stringify(keywordsOf(rowSchemas[name]))),
  }));

/** Validates a project as the service does. */
export const validateText = ({ revision, text }: ValidateRequest): ValidatorAnswer => {
  let problems: readonly Problem[] = [];
  let total = 0;
  try {
    loadProject(new TextEncoder().encode(text));
  } catch (thrown) {
    const { code, details, message } = BusbarError.from(thrown);
    const whole = { table: null, row: null, index: null, field: '', code: 'invalid_json' } as const;
    problems =
      code === 'invalid_project'
        ? (details.problems as readonly Problem[])
        : [{ ...whole, message }];
    total = code === 'invalid_project' ? Number(details.total) : 1;
  }
  return { kind: 'problems', revision, problems, total };
};
