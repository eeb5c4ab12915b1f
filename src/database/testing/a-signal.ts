import type { Signal } from '../model.ts';

/** A default signal with the given fields. */
export const aSignal = (given: Partial<Signal> = {}): Signal => ({
  name: 'Speed',
  startBit: 0,
  length: 8,
  byteOrder: 'intel',
  kind: 'unsigned',
  factor: '1',
  offset: '0',
  minimum: null,
  maximum: null,
  unit: '',
  receivers: [],
  isSwitch: false,
  multiplexing: null,
  values: [],
  initialRaw: null,
  comment: null,
  attributes: {},
  ...given,
});
