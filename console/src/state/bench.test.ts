import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { metrics, openApi } from './bench.ts';

const answerWith = (body: BodyInit): void => {
  vi.stubGlobal('fetch', async () => new Response(body));
};

/** Begins a response and breaks off. */
const brokenBody = () =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"openapi'));
      controller.error(new TypeError('network error'));
    },
  });

describe('documents of the service', () => {
  beforeEach(() => vi.stubGlobal('location', { host: 'bench:8080' }));
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['metrics', metrics],
    ['the OpenAPI document', openApi],
  ])('tell why there is none of %s where the answer breaks off', async (_name, document) => {
    answerWith(brokenBody());
    await document.refresh();
    expect(document.error.value).toBeInstanceOf(ApiError);
    expect(document.error.value).toMatchObject({ code: 'unreachable' });
  });

  it('tell that something else answered where the OpenAPI document is none', async () => {
    answerWith('<html>');
    await openApi.refresh();
    expect(openApi.error.value).toMatchObject({ code: 'not_busbar' });
  });
});
