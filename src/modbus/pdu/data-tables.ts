import { functionCodes } from './function-codes.ts';

export const dataTables = ['coil', 'discrete', 'input', 'holding'] as const;
export type DataTable = (typeof dataTables)[number];

interface TableRow {
  readonly readFunction: 1 | 2 | 3 | 4;
  readonly holdsBits: boolean;
  readonly isWritable: boolean;
  readonly digit: string;
}

export const tableRows: Readonly<Record<DataTable, TableRow>> = {
  coil: { readFunction: functionCodes.readCoils, holdsBits: true, isWritable: true, digit: '0' },
  discrete: {
    readFunction: functionCodes.readDiscreteInputs,
    holdsBits: true,
    isWritable: false,
    digit: '1',
  },
  input: {
    readFunction: functionCodes.readInputRegisters,
    holdsBits: false,
    isWritable: false,
    digit: '3',
  },
  holding: {
    readFunction: functionCodes.readHoldingRegisters,
    holdsBits: false,
    isWritable: true,
    digit: '4',
  },
};

export const tableOfDigit = (digit: string): DataTable | undefined =>
  dataTables.find((table) => tableRows[table].digit === digit);

export const tableOfRead = (readFunction: 1 | 2 | 3 | 4): DataTable => {
  if (readFunction === functionCodes.readCoils) return 'coil';
  if (readFunction === functionCodes.readDiscreteInputs) return 'discrete';
  return readFunction === functionCodes.readInputRegisters ? 'input' : 'holding';
};
