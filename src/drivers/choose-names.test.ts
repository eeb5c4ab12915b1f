import { describe, expect, it } from 'vitest';
import { chooseNames } from './choose-names.ts';

const none: ReadonlySet<string> = new Set();
const body = ['C0DE', '0001', 'ttyUSB0'];
const chassis = ['C0DE', '0001', 'ttyUSB1'];
const rear = ['0001', 'ttyUSB2'];

describe('the names of adapters', () => {
  it('are their own numbers where these differ', () => {
    expect(chooseNames([body, ['BEEF', '0001', 'ttyUSB3']], none)).toEqual(['C0DE', 'BEEF']);
  });

  it('are those of their ports where every number is shared', () => {
    expect(chooseNames([body, chassis], none)).toEqual(['ttyUSB0', 'ttyUSB1']);
    expect(chooseNames([rear, ['0001', 'ttyUSB3']], none)).toEqual(['ttyUSB2', 'ttyUSB3']);
  });

  it('are the numbers of their USB ports where only those differ', () => {
    const other = ['C0DE', 'A5XK', 'ttyUSB1'];
    expect(chooseNames([body, other], none)).toEqual(['0001', 'A5XK']);
  });

  it('do not depend on which adapter was found first', () => {
    expect(chooseNames([body, chassis, rear], none)).toEqual(['ttyUSB0', 'ttyUSB1', 'ttyUSB2']);
    expect(chooseNames([rear, chassis, body], none)).toEqual(['ttyUSB2', 'ttyUSB1', 'ttyUSB0']);
  });

  it('leave those that are in use to their owners', () => {
    expect(chooseNames([rear], new Set(['0001']))).toEqual(['ttyUSB2']);
    expect(chooseNames([body], new Set(['C0DE']))).toEqual(['0001']);
  });

  it('stay shared only where one port is named twice', () => {
    expect(chooseNames([rear, rear], none)).toEqual(['ttyUSB2', 'ttyUSB2']);
    expect(chooseNames([], none)).toEqual([]);
  });
});
