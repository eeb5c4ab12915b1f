import type { ColumnType } from '../rows/column-type.ts';
import type { TableShape } from '../table-format.ts';
import type { ThriftStruct } from './thrift.ts';

export const physicalType = { int64: 2, double: 5, bytes: 6 } as const;

export interface ParquetColumn {
  readonly name: string;
  readonly physical: number;
  readonly meaning: 'time' | 'text' | 'uint64' | 'number';
  readonly isOptional: boolean;
}

const text = (name: string, isOptional = false): ParquetColumn => ({
  name,
  physical: physicalType.bytes,
  meaning: 'text',
  isOptional,
});

const time: ParquetColumn = {
  name: 'time',
  physical: physicalType.int64,
  meaning: 'time',
  isOptional: false,
};

const number = (name: string): ParquetColumn => ({
  name,
  physical: physicalType.double,
  meaning: 'number',
  isOptional: true,
});

const wide = (name: string, type: ColumnType): ParquetColumn => {
  switch (type) {
    case 'double':
      return number(name);
    case 'text':
      return text(name, true);
    default:
      return {
        name,
        physical: physicalType.int64,
        meaning: type === 'uint64' ? 'uint64' : 'number',
        isOptional: true,
      };
  }
};

export const columnsOf = (shape: TableShape): readonly ParquetColumn[] =>
  shape
    ? [
        time,
        ...(shape.hold ? [] : [text('channel')]),
        ...shape.columns.map(({ name, type }) => wide(name, type)),
      ]
    : [
        time,
        text('channel'),
        text('message'),
        text('signal'),
        text('value', true),
        number('number'),
        text('unit'),
        text('label', true),
      ];

const oldTypes = { time: 10, text: 0, uint64: 14 } as const;

/** Writes a column of the schema: older readers know only the converted type. */
export const putSchemaColumn = (
  struct: ThriftStruct,
  { name, physical, meaning, isOptional }: ParquetColumn,
): void => {
  struct
    .i32(1, physical)
    .i32(3, isOptional ? 1 : 0)
    .text(4, name);
  if (meaning === 'number') return;
  struct.i32(6, oldTypes[meaning]).struct(10, (logical) => {
    if (meaning === 'text') logical.struct(1, () => {});
    else if (meaning === 'time') {
      logical.struct(8, (stamp) =>
        stamp.flag(1, true).struct(2, (unit) => unit.struct(2, () => {})),
      );
    } else logical.struct(10, (integer) => integer.i8(1, 64).flag(2, false));
  });
};
