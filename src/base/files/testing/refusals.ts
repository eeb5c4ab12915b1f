import { closeSync, readFileSync } from 'node:fs';
import { BusbarError, type ErrorRecord } from '../../errors/busbar-error.ts';
import type { OpenFile } from '../project-root.ts';

type Refusal = Pick<ErrorRecord, 'code' | 'details'>;

/** The error of a call; fails the test if the call succeeds. */
export const refusal = (call: () => unknown): Refusal => {
  let result: unknown;
  try {
    result = call();
  } catch (thrown) {
    if (!(thrown instanceof BusbarError)) throw thrown;
    return { code: thrown.code, details: thrown.details };
  }
  throw new Error(`nothing was refused, but returned ${JSON.stringify(result)}`);
};

export const outside = (path: string): Refusal => ({
  code: 'path_outside_project',
  details: { path },
});

export const notFound = (path: string): Refusal => ({ code: 'file_not_found', details: { path } });

export const unavailable = (path: string, reason: string): Refusal => ({
  code: 'file_unavailable',
  details: { path, reason },
});

/** The whole content of an open file, which is then closed. */
export const textOf = ({ fd }: OpenFile): string => {
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
};
