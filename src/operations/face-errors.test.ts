import { describe, expect, it } from 'vitest';
import { errorCodes } from '../base/errors/table.ts';
import type { DaemonUse, HttpBinding, Operation } from './define.ts';
import { cliErrorsOf, errorsOf, httpErrorsOf, publishedErrors } from './face-errors.ts';
import { partDrop, partLabel, partMove, partShow } from './testing/sample-operations.ts';

const overHttp = (operation: Operation) => httpErrorsOf(operation, operation.http as HttpBinding);

const withDaemon = (daemon: DaemonUse): Operation => ({
  ...partLabel,
  errors: [],
  execution: { ...partLabel.execution, daemon },
});

describe('httpErrorsOf', () => {
  it('holds what any request can meet and what the operation adds', () => {
    expect(overHttp(partShow)).toEqual(
      expect.arrayContaining([
        'invalid_argument',
        'unauthorized',
        'origin_not_allowed',
        'request_timeout',
        'headers_too_large',
        'internal_error',
        'response_too_large',
        'too_many_clients',
        'job_not_found',
      ]),
    );
  });

  it('speaks of bodies only where there is one', () => {
    const ofBodies = ['payload_too_large', 'unsupported_media_type'];
    expect(overHttp(partMove)).toEqual(expect.arrayContaining(ofBodies));
    expect(overHttp(partShow).filter((code) => ofBodies.includes(code))).toEqual([]);
  });

  it('speaks of no daemon that could be missing: it is the one that answers', () => {
    expect(overHttp(partMove)).not.toContain('daemon_unreachable');
  });

  it.each([partShow, partMove, partDrop])('keeps the order of the table for $id', (operation) => {
    const found = overHttp(operation);
    expect(found).toEqual(errorCodes.filter((code) => found.includes(code)));
  });
});

describe('cliErrorsOf', () => {
  it.each<[DaemonUse, string[]]>([
    ['none', []],
    ['optional', ['daemon_unreachable', 'version_mismatch']],
    ['required', ['daemon_unreachable', 'version_mismatch']],
    ['start', ['daemon_unreachable', 'daemon_start_failed', 'version_mismatch']],
  ])('knows how a command can fail that has the daemon need %s', (daemon, expected) => {
    const codes: readonly string[] = cliErrorsOf(withDaemon(daemon));
    const ofDaemons = ['daemon_unreachable', 'daemon_start_failed', 'version_mismatch'];
    expect(codes.filter((code) => ofDaemons.includes(code)).sort()).toEqual(expected.sort());
    expect(codes).toEqual(expect.arrayContaining(['invalid_argument', 'internal_error']));
  });

  it('holds what the operation adds', () => {
    expect(cliErrorsOf(partLabel)).toContain('unknown_command');
  });
});

describe('errorsOf', () => {
  it('is what either face can answer, each code once', () => {
    const codes = errorsOf(partMove);
    expect(new Set(codes)).toEqual(new Set([...overHttp(partMove), ...cliErrorsOf(partMove)]));
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('leaves out a face that the operation does not have', () => {
    expect(errorsOf(partLabel)).not.toContain('too_many_clients');
    expect(errorsOf(partDrop)).not.toContain('daemon_unreachable');
  });
});

describe('publishedErrors', () => {
  it('has what jobs can fail with, which no operation answers itself', () => {
    const queue: Operation = { ...partShow, jobErrors: ['firmware_index_missing'] };
    expect(publishedErrors([queue])).toContain('firmware_index_missing');
    expect(errorsOf(queue)).not.toContain('firmware_index_missing');
  });

  it('is what any of the operations can end with, in the order of the table', () => {
    const codes = publishedErrors([partShow, partLabel]);
    expect(codes).toEqual(expect.arrayContaining(['job_not_found', 'unknown_command']));
    expect(codes).toEqual(errorCodes.filter((code) => codes.includes(code)));
    expect(codes).not.toContain('capacity_exceeded');
  });

  it('knows of requests that reach no operation at all', () => {
    expect(publishedErrors([])).toEqual(['endpoint_not_found', 'method_not_allowed']);
  });
});
