import type { ErrorRow } from './error-row.ts';
import { failures } from './failures.ts';
import { refusals } from './refusals.ts';

/**
 * Every public error, declared once. HTTP statuses, exit codes, the OpenAPI document, `help`
 * and the reference are generated from this table.
 */
const rows = { ...refusals, ...failures } as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof rows;

export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = rows;

export const errorCodes = Object.keys(rows) as readonly ErrorCode[];

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(rows, text);
