import { formatNumber } from '../../format/figures.ts';
import type { Column } from '../../ui/table-columns.ts';
import type { ValueRow } from './register-view.ts';

/** Values with their places, and with what they were made of. */
export const valueColumns: readonly Column<ValueRow>[] = [
  {
    id: 'address',
    title: 'Address',
    width: 72,
    align: 'end',
    mono: true,
    text: ({ address }) => String(address),
  },
  {
    id: 'reference',
    title: 'Reference',
    width: 84,
    mono: true,
    spare: 0,
    text: ({ reference }) => reference,
  },
  {
    id: 'registers',
    title: 'Registers',
    width: 150,
    grows: true,
    mono: true,
    text: ({ registers }) => registers,
  },
  {
    id: 'value',
    title: 'Value',
    width: 150,
    grows: true,
    align: 'end',
    mono: true,
    text: ({ value }) => value ?? '',
    render: ({ value }) =>
      value === null ? (
        <span class="quiet">not there</span>
      ) : (
        <strong title={value}>{formatNumber(value)}</strong>
      ),
  },
];
