import type { ApiError } from '../../api/api-error.ts';

/** What is wrong with a project, as the service tells it; a test compares it with what the service has. */
export interface ProjectProblem {
  readonly table: string | null;
  readonly row: string | null;
  readonly index: number | null;
  /** Empty for the row or the file as a whole. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface ProblemList {
  readonly file: string;
  readonly problems: readonly ProjectProblem[];
  /** Also those that are not shown. */
  readonly total: number;
}

const isProblem = (value: unknown): value is ProjectProblem =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

/** The problems that a refusal lists; null if it is about something else. */
export const problemsOf = (file: string, { code, details }: ApiError): ProblemList | null => {
  if (code !== 'invalid_project' || !Array.isArray(details.problems)) return null;
  const problems = details.problems.filter(isProblem);
  const total = typeof details.total === 'number' ? details.total : problems.length;
  return { file, problems, total };
};

/** What is wrong; where it is stands beside it. */
export const textOf = ({ message }: ProjectProblem): string =>
  message.replace(/^\w+\[\d+\](?: "[^"]*")?: /, '');

/** Where in the file a problem is: `signals · pump · producer`. */
export const placeOf = ({ table, row, index, field }: ProjectProblem): string => {
  const line = row ?? (typeof index === 'number' ? `row ${index + 1}` : null);
  const parts = [table, line, field].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : 'whole file';
};
