import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import type { DiagnosticResponse } from '../../api/client.ts';
import {
  answerWords,
  type Exchange,
  exchanges,
  forgetExchanges,
  maxExchanges,
  outcomeOf,
  remember,
  requestText,
  responseText,
  wordsOf,
} from './request-history.ts';

const answer: DiagnosticResponse = {
  ...{ ecu: 'engine', request: '22F190', response: '7F2278', positive: false },
  ...{ nrc: 0x78, nrc_name: 'response pending', pending: 2, duration_us: 4200 },
};

const exchange = (part: Partial<Omit<Exchange, 'key'>> = {}): Omit<Exchange, 'key'> => ({
  ...{ atMs: 0, ecu: 'engine', request: { data: '22 f1.90' }, answer, error: null },
  ...part,
});

beforeEach(forgetExchanges);

describe('an exchange', () => {
  it('shows request and response as bytes, and the response in words', () => {
    const shown = remember(exchange());
    expect(requestText(shown)).toBe('22 F1 90');
    expect(responseText(shown)).toBe('7F 22 78');
    expect(answerWords(shown)).toBe(
      'Negative response to ReadDataByIdentifier: 0x78 response pending',
    );
    expect(outcomeOf(shown)).toBe('negative');
  });

  it('shows an error in place of a response', () => {
    const error = new ApiError({ code: 'no_response', message: 'No response within P2' });
    const shown = remember(exchange({ answer: null, error }));
    expect([answerWords(shown), responseText(shown), outcomeOf(shown)]).toEqual([
      'no_response: No response within P2',
      '',
      'failed',
    ]);
  });

  it('names each ECU that responded to a functional request', () => {
    const one = { address: null, positive: true, nrc: null, nrc_name: null };
    const responses = [
      { ...one, id: 0x7e8, data: '5003' },
      { ...one, id: 0x7e9, data: '5003' },
    ];
    const words = answerWords(remember(exchange({ answer: { ...answer, responses } })));
    expect(words).toMatch(/^7E8: Positive response.*; 7E9: Positive response/);
    const shared = responses.map((each, index) => ({ ...each, id: 0x600, address: 0xf1 + index }));
    expect(answerWords(remember(exchange({ answer: { ...answer, responses: shared } })))).toMatch(
      /^600 \(address F1\): Positive response.*; 600 \(address F2\): Positive response/,
    );
    const none = answerWords(remember(exchange({ answer: { ...answer, responses: [] } })));
    expect(none).toBe('No ECU responded');
  });

  it('tells a suppressed response from a request that awaited none', () => {
    const silent = { ...answer, response: null, positive: null };
    const suppressed = remember(exchange({ request: { data: '3E80' }, answer: silent }));
    expect([answerWords(suppressed), outcomeOf(suppressed)]).toEqual([
      'No response wanted',
      'sent',
    ]);
    const sent = remember(exchange({ request: { data: '3E80', wait: false }, answer: silent }));
    expect(answerWords(sent)).toBe('Sent');
  });

  it('of other protocols has no words of UDS', () => {
    const raw = { ...answer, response: '010203', positive: null };
    const shown = remember(exchange({ request: { data: '01', protocol: 'isotp' }, answer: raw }));
    expect(answerWords(shown)).toBe('3 bytes');
  });
});

describe('the history', () => {
  it('forgets the oldest exchanges first', () => {
    for (let at = 0; at <= maxExchanges; at++) remember(exchange({ atMs: at }));
    expect(exchanges.value).toHaveLength(maxExchanges);
    expect(exchanges.value[0]?.atMs).toBe(1);
  });
});

describe('words of a request that is being typed', () => {
  it.each([
    ['22 F1 90', 'ReadDataByIdentifier F190'],
    ['22F', ''],
    ['', ''],
    ['soon', ''],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toBe(words);
  });
});
