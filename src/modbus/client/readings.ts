import { BusbarError } from '../../base/errors/busbar-error.ts';
import { bitAt } from '../pdu/packed-bits.ts';
import { readRegisters } from '../pdu/wire-words.ts';
import type { GoodResponse } from '../session/exchange.ts';

/** The decoder returns only the response kind of the request. Any other kind is a defect. */
const unexpected = ({ kind }: GoodResponse): BusbarError =>
  new BusbarError('internal_error', { message: `An answer is of the kind ${kind}` });

export const readItems = (response: GoodResponse, into: Uint16Array): void => {
  if (response.kind === 'registers') {
    readRegisters(response.data, response.dataAt, response.count, into);
    return;
  }
  if (response.kind !== 'bits') throw unexpected(response);
  const { data, dataAt, count } = response;
  for (let i = 0; i < count; i++) into[i] = bitAt(data, 8 * dataAt + i) ? 1 : 0;
};

export const itemsOf = (response: GoodResponse): Uint16Array => {
  const items = new Uint16Array('count' in response ? response.count : 0);
  readItems(response, items);
  return items;
};

export const nothingOf = (response: GoodResponse): void => {
  if (response.kind !== 'written') throw unexpected(response);
};
