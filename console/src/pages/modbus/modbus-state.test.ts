import { beforeEach, describe, expect, it } from 'vitest';
import {
  changeView,
  endedServer,
  hear,
  look,
  path,
  pickedServer,
  pickServer,
  registers,
  view,
} from './modbus-state.ts';
import { firstView } from './register-view.ts';

const one = 'tcp:127.0.0.1:1502';
const other = 'tcp:127.0.0.1:1503';

const servers = (...endpoints: readonly string[]): void =>
  hear('status', {
    sessions: [],
    servers: endpoints.map((endpoint) => ({ endpoint, address: null, requests: 0, units: [1] })),
  });

const report = (endpoint: string, part: object = {}): void =>
  hear('registers', {
    look: look.value,
    ...{ network: null, endpoint, unit: 1, table: 'holding', address: 0, reference: '40001' },
    ...{ type: 'u16', order: 'ABCD', values: ['7'], registers: [7], ranges: [], range_total: 0 },
    ...part,
  });

beforeEach(() => {
  servers(one, other);
  pickServer(other);
  changeView(firstView);
  report(other);
});

describe('the picked server', () => {
  it('is gone when it has ended, and no other takes its place', () => {
    expect(registers.value).not.toBeNull();
    servers(one);
    expect([pickedServer.value, endedServer.value, registers.value]).toEqual([null, other, null]);
    expect(path.value).not.toContain('endpoint');
    servers(one, other);
    expect([pickedServer.value?.endpoint, endedServer.value]).toEqual([other, null]);
  });

  it('is awaited, not gone, before it was told of', () => {
    pickServer('tcp:127.0.0.1:1504');
    expect([pickedServer.value, endedServer.value]).toEqual([null, null]);
  });
});

describe('registers', () => {
  it('are not shown any more while a field makes no sense', () => {
    changeView({ address: '99999' });
    expect(registers.value).toBeNull();
    changeView({ address: '0' });
    report(other);
    changeView({ count: '' });
    expect(registers.value).toBeNull();
  });

  it('are looked for where they are on a server that was not seen before, or was served anew', () => {
    const elsewhere = { registers: [null], ranges: [{ table: 'input', address: 30, count: 2 }] };
    pickServer(one);
    report(one, elsewhere);
    expect(view.value).toMatchObject({ table: 'input', address: '30', count: '2' });
    // From then on the user determines the view.
    changeView(firstView);
    report(one, elsewhere);
    expect(view.value.address).toBe(firstView.address);
    servers(other);
    servers(one, other);
    report(one, elsewhere);
    expect(view.value.address).toBe('30');
  });

  it('that another window looks at are left to that one', () => {
    const before = registers.value;
    report(other, { look: `${look.value}&unit=9` });
    expect(registers.value).toBe(before);
  });

  it('of one server are not shown as those of another', () => {
    pickServer(one);
    expect(registers.value).toBeNull();
  });
});
