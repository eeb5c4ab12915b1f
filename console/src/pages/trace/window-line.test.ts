import { beforeEach, describe, expect, it } from 'vitest';
import type { WindowRequest } from '../../trace-core/trace-engine.ts';
import type { TraceRequest, WindowAnswer } from './trace-messages.ts';
import { WindowLine } from './window-line.ts';

const request: WindowRequest = { view: 'frames', rows: 4, place: { at: 'end' }, selected: null };
const facts = { first: 0, rows: 0, count: 0, total: 0, originUs: 0, hasSelected: false };

let line: WindowLine;
let posted: TraceRequest[];
/** What the worker has, and what the page has. */
let atWorker: ArrayBuffer[];
let heard: WindowAnswer[];
let number: number;

const ask = (): void => {
  number = line.ask(request, (answer) => heard.push(answer));
};

/** The worker answers in so many of the buffers that it has. */
const answer = (windows: number): void => {
  for (const buffer of atWorker.splice(0, windows)) {
    line.heard({ type: 'window', number, request, facts, buffer });
  }
};

const giveBackAll = (): void => {
  for (const each of heard.splice(0)) line.giveBack(each);
};

beforeEach(() => {
  posted = [];
  atWorker = [];
  heard = [];
  line = new WindowLine((asked, transfer = []) => {
    posted.push(asked);
    atWorker.push(...(transfer as ArrayBuffer[]));
  });
});

describe('WindowLine', () => {
  it('sends the question before the memory for its answers, and that once', () => {
    ask();
    expect(posted[0]).toMatchObject({ type: 'window', number });
    expect(posted.slice(1).every(({ type }) => type === 'buffer')).toBe(true);
    const { length } = atWorker;
    expect(length).toBeGreaterThan(1);
    ask();
    expect(atWorker).toHaveLength(length);
    expect(posted.at(-1)).toMatchObject({ type: 'window', number });
  });

  it('tells one question from another', () => {
    ask();
    const first = number;
    ask();
    expect(number).toBeGreaterThan(first);
  });

  it('returns memory to the worker as soon as it is given back', () => {
    ask();
    const all = new Set(atWorker);
    answer(3);
    expect(atWorker).toHaveLength(all.size - 3);
    giveBackAll();
    expect(atWorker).toHaveLength(all.size);
    expect(new Set(atWorker)).toEqual(all);
  });

  it('lets the worker have none while nobody wants windows, and all of it afterwards', () => {
    ask();
    const all = new Set(atWorker);
    answer(4);
    line.leave();
    giveBackAll();
    // What was under way then, and what the worker still had memory for.
    answer(all.size);
    expect(heard).toEqual([]);
    expect(atWorker).toEqual([]);
    ask();
    expect(atWorker).toHaveLength(all.size);
    expect(new Set(atWorker)).toEqual(all);
    answer(1);
    expect(heard).toHaveLength(1);
  });

  it('lets who asks last hear what was under way to somebody before', () => {
    ask();
    const later: WindowAnswer[] = [];
    line.leave();
    line.ask(request, (each) => later.push(each));
    answer(1);
    expect([heard.length, later.length]).toEqual([0, 1]);
  });
});
