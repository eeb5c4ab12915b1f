import type { ApiError } from '../../api/api-error.ts';

/** Project problem as reported by the service; a test compares the type with the service. */
export interface ProjectProblem {
  readonly table: string | null;
  readonly row: string | null;
  readonly index: number | null;
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface ProblemList {
  readonly file: string;
  readonly problems: readonly ProjectProblem[];
  readonly total: number;
}

const isProblem = (value: unknown): value is ProjectProblem =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

export const problemsOf = (file: string, { code, details }: ApiError): ProblemList | null => {
  if (code !== 'invalid_project' || !Array.isArray(details.problems)) return null;
  const problems = details.problems.filter(isProblem);
  const total = typeof details.total === 'number' ? details.total : problems.length;
  return { file, problems, total };
};

export const textOf = ({ message }: ProjectProblem): string =>
  message.replace(/^\w+\[\d+\](?: "[^"]*")?: /, '');

export const placeOf = ({ table, row, index, field }: ProjectProblem): string => {
  const line = row ?? (typeof index === 'number' ? `row ${index + 1}` : null);
  const parts = [table, line, field].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : 'whole file';
};
