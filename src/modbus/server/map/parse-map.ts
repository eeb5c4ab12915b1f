import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { PathSegment } from '../../../base/json/field-path.ts';
import { parseJsonBytes } from '../../../base/json/parse-json-bytes.ts';
import {
  type FieldProblem,
  maxProblems,
  schemaProblems,
} from '../../../base/schema/schema-problems.ts';
import { unitRange } from '../../framing/unit-ids.ts';
import { dataTables } from '../../pdu/data-tables.ts';
import { exceptionCode, exceptionCodes } from '../../pdu/exception-codes.ts';
import { addressSpace } from '../../pdu/function-codes.ts';
import type { EndpointKind } from '../../transport/endpoint.ts';
import type { FaultItems, UnitFault } from '../unit-faults.ts';
import { type FileFault, type FileUnit, MapFile, maxEntries } from './map-file.ts';
import { MapProblems } from './map-problems.ts';
import { findOverlaps, type PresetRange, presetRange } from './map-ranges.ts';

const lastFunction = 127;

const lastException = 255;

const itemsOf = (
  fault: FileFault,
  at: readonly PathSegment[],
  problems: MapProblems,
): FaultItems | undefined => {
  const { table, address, reference, count } = fault;
  if (address === undefined && reference === undefined) {
    if (count !== undefined) problems.add([...at, 'count'], 'requires an address');
    return table === undefined ? undefined : { table };
  }
  const item = problems.item(at, fault, table);
  if (item === undefined) return undefined;
  const max = addressSpace - item.address;
  const counted = problems.integer([...at, 'count'], count ?? 1, 1, max);
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

const unitFault = (
  fault: FileFault,
  at: readonly PathSegment[],
  problems: MapProblems,
): UnitFault => {
  const { silent = false, delay_ms: delayMs, exception } = fault;
  if (!silent && delayMs === undefined && exception === undefined) {
    problems.add(at, 'needs silent, delay_ms or exception');
  }
  if (silent && (delayMs !== undefined || exception !== undefined)) {
    problems.add([...at, 'silent'], 'excludes delays and exceptions: omit the others');
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

export interface UnitMap {
  readonly unit: number;
  readonly ranges: readonly PresetRange[];
  readonly faults: readonly UnitFault[];
}

export const maxMapBytes = 1024 * 1024;

export const invalidMap = (
  file: string,
  problems: readonly FieldProblem[],
  cause?: unknown,
): BusbarError =>
  new BusbarError('invalid_modbus_map', {
    message: `Invalid Modbus server map: ${problems[0]?.message}`,
    details: { field: 'map', file, problems: problems.slice(0, maxProblems) },
    cause,
  });

const parsed = (file: string, bytes: Uint8Array): unknown => {
  try {
    return parseJsonBytes(bytes);
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    throw invalidMap(file, [{ field: String(details.field ?? ''), message }], thrown);
  }
};

const rangesOf = (
  unit: FileUnit,
  at: readonly PathSegment[],
  problems: MapProblems,
): PresetRange[] =>
  dataTables.flatMap((table) => {
    const place = [...at, table];
    const ranges = (unit[table] ?? []).map((range, index) =>
      presetRange(table, range, [...place, index], problems),
    );
    findOverlaps(ranges, place, problems);
    return ranges.flatMap((range) => range ?? []);
  });

const unitsOf = (file: MapFile, kind: EndpointKind, problems: MapProblems): UnitMap[] => {
  const { minimum, maximum } = unitRange(kind);
  const known = new Set<number>();
  return file.units.map((entry, index) => {
    const at = ['units', index];
    const unit = problems.integer([...at, 'unit'], entry.unit, minimum, maximum);
    if (unit !== undefined && known.has(unit)) {
      problems.add([...at, 'unit'], `is ${unit}, which is already used by another unit`);
    }
    if (unit !== undefined) known.add(unit);
    const faults = (entry.faults ?? []).map((fault, place) =>
      unitFault(fault, [...at, 'faults', place], problems),
    );
    return { unit: unit ?? 0, ranges: rangesOf(entry, at, problems), faults };
  });
};

const entriesOf = ({ units }: MapFile): number =>
  units.reduce(
    (sum, unit) =>
      sum +
      (unit.faults?.length ?? 0) +
      dataTables.reduce((ranges, table) => ranges + (unit[table]?.length ?? 0), 0),
    0,
  );

/** Returns the units that a file declares for an endpoint, or throws all its problems. */
export const parseMap = (file: string, bytes: Uint8Array, kind: EndpointKind): UnitMap[] => {
  const document = parsed(file, bytes);
  const shape = schemaProblems(MapFile, document);
  if (shape.length > 0) throw invalidMap(file, shape);
  const problems = new MapProblems();
  const map = document as MapFile;
  if (entriesOf(map) > maxEntries) {
    problems.add([], `has more than ${maxEntries} ranges and faults`);
    throw invalidMap(file, problems.all);
  }
  const units = unitsOf(map, kind, problems);
  if (problems.all.length > 0) throw invalidMap(file, problems.all);
  return units;
};
