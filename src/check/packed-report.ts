import { moving } from '../base/threads/rpc-port.ts';
import type { CheckReport } from './check-record.ts';

/** A report as bytes: a thread that only passes it on does not spend time on its many objects. */
export interface PackedReport {
  readonly packed: Uint8Array<ArrayBuffer>;
}

export const packReport = (report: CheckReport): PackedReport => {
  const packed = new TextEncoder().encode(JSON.stringify(report));
  return moving({ packed }, [packed.buffer]);
};

const isPacked = (value: unknown): value is PackedReport =>
  typeof value === 'object' && value !== null && 'packed' in value;

/** The report of a job's result, if it is a packed one. */
export const unpackResult = <Result>(result: Result | PackedReport): Result | CheckReport =>
  isPacked(result) ? JSON.parse(new TextDecoder().decode(result.packed)) : result;
