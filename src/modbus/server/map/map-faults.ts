import type { PathSegment } from '../../../base/json/field-path.ts';
import { exceptionCode, exceptionCodes } from '../../pdu/exception-codes.ts';
import { addressSpace } from '../../pdu/function-codes.ts';
import type { FaultItems, UnitFault } from '../unit-faults.ts';
import type { FileFault } from './map-file.ts';
import type { MapProblems } from './map-problems.ts';

const lastFunction = 127;
const lastException = 255;

const itemsOf = (
  fault: FileFault,
  at: readonly PathSegment[],
  problems: MapProblems,
): FaultItems | undefined => {
  const { table, address, reference, count } = fault;
  if (address === undefined && reference === undefined) {
    if (count !== undefined) problems.add([...at, 'count'], 'needs an address beside it');
    return table === undefined ? undefined : { table };
  }
  const item = problems.item(at, fault, table);
  if (item === undefined) return undefined;
  const most = addressSpace - item.address;
  const counted = problems.integer([...at, 'count'], count ?? 1, 1, most);
  if (counted === undefined) return undefined;
  return { table: item.table, range: { address: item.address, count: counted } };
};

const exceptionOf = (
  exception: unknown,
  at: readonly PathSegment[],
  problems: MapProblems,
): number | undefined => {
  const named = typeof exception === 'string' ? exceptionCode(exception) : undefined;
  if (named !== undefined) return named;
  if (typeof exception !== 'string' || exception.startsWith('0x')) {
    return problems.integer(at, exception, 1, lastException);
  }
  return problems.add(at, `must be a code or one of ${Object.keys(exceptionCodes).join(', ')}`);
};

/** A fault as the file tells it. */
export const unitFault = (
  fault: FileFault,
  at: readonly PathSegment[],
  problems: MapProblems,
): UnitFault => {
  const { silent = false, delay_ms: delayMs, exception } = fault;
  if (!silent && delayMs === undefined && exception === undefined) {
    problems.add(at, 'needs silent, delay_ms or exception');
  }
  if (silent && (delayMs !== undefined || exception !== undefined)) {
    problems.add([...at, 'silent'], 'leaves nothing to delay or to answer: leave out the others');
  }
  const functions = fault.functions?.flatMap(
    (code, index) => problems.integer([...at, 'functions', index], code, 1, lastFunction) ?? [],
  );
  const items = itemsOf(fault, at, problems);
  const code =
    exception === undefined ? undefined : exceptionOf(exception, [...at, 'exception'], problems);
  return {
    ...(functions && { functions }),
    ...(items && { items }),
    ...(silent && { silent }),
    ...(delayMs !== undefined && { delayMs }),
    ...(code !== undefined && { exception: code }),
  };
};
