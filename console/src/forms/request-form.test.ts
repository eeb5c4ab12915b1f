import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import type { Answer } from '../api/client.ts';
import { nextStep } from '../api/next-step.ts';
import type { OpenApiDocument } from '../state/bench.ts';
import { requestForm } from './request-form.ts';

const document = {
  info: { title: '', version: '' },
  paths: {
    '/api/v1/databases': {
      post: {
        operationId: 'database.load',
        summary: '',
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Load' } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Load: {
        type: 'object',
        properties: { file: { type: 'string', minLength: 1 }, name: { type: 'string' } },
        required: ['file'],
        additionalProperties: false,
      },
    },
  },
} satisfies OpenApiDocument;

type Load = 'database.load';
const answer = { name: 'vehicle' } as Answer<Load>;

const setUp = (reply: () => Promise<Answer<Load>> = async () => answer) => {
  const requests: unknown[] = [];
  const form = requestForm<Load>('database.load', {
    document: async () => document,
    call: (_, input) => {
      requests.push(input);
      return reply();
    },
  });
  return { form, requests };
};

const refused = (code: string, details: Record<string, unknown>) => async () => {
  throw new ApiError({ code, message: 'It is not so', details, retryable: false });
};

describe('requestForm', () => {
  it('makes no request that the contract refuses, and says so at the field', async () => {
    const { form, requests } = setUp();
    expect(
      await form.submit({ body: { file: '', name: 7 }, visible: ['file', 'name'] }),
    ).toBeNull();
    expect(requests).toEqual([]);
    expect(form.problemOf('file')).toBe('Must not be empty');
    expect(form.problemOf('name')).toBe('Must be text');
    expect(form.error.value).toBeNull();
  });

  it('says elsewhere what concerns no visible field', async () => {
    const { form, requests } = setUp();
    await form.submit({ body: { file: 'a', more: 1 }, visible: ['file'] });
    expect(requests).toEqual([]);
    expect(form.error.value?.message).toBe('more: Unknown field');
  });

  it('refuses for reasons of its own as well', async () => {
    const { form, requests } = setUp();
    const problems = [{ field: 'file', message: 'Is taken' }];
    await form.submit({ body: { file: 'a' }, visible: ['file'], problems });
    expect(requests).toEqual([]);
    expect(form.problemOf('file')).toBe('Is taken');
  });

  it('makes a good request and forgets earlier refusals', async () => {
    const { form, requests } = setUp();
    await form.submit({ body: {}, visible: ['file'] });
    expect(await form.submit({ body: { file: 'a' }, visible: ['file'] })).toBe(answer);
    expect(requests).toEqual([{ file: 'a' }]);
    expect(form.problemOf('file')).toBeNull();
    expect(form.isBusy.value).toBe(false);
  });

  it('shows a refusal of the service at the field that it names', async () => {
    const { form } = setUp(refused('invalid_argument', { field: 'file' }));
    expect(await form.submit({ body: { file: 'a' }, visible: ['file'] })).toBeNull();
    expect(form.problemOf('file')).toBe('It is not so');
    expect(form.error.value).toBeNull();
  });

  it('says once what to do next where the value alone is not at fault', async () => {
    const { form } = setUp(refused('file_not_found', { field: 'file' }));
    await form.submit({ body: { file: 'a' }, visible: ['file'] });
    expect(form.error.value?.message).toBe('It is not so');
    expect(form.problemOf('file')).toBeNull();
    expect(form.error.value && nextStep(form.error.value)).toMatch(/^Check the name/);
  });

  it('shows any other refusal as a whole', async () => {
    const { form } = setUp(refused('capacity_exceeded', {}));
    await form.submit({ body: { file: 'a' }, visible: ['file'] });
    expect(form.error.value?.code).toBe('capacity_exceeded');
    form.clear();
    expect(form.error.value).toBeNull();
  });

  it('forgets what was wrong about a field that is changed, and about it alone', async () => {
    const { form } = setUp();
    await form.submit({ body: { file: '', name: 7 }, visible: ['file', 'name'] });
    form.touch('file');
    expect(form.problemOf('file')).toBeNull();
    expect(form.problemOf('name')).not.toBeNull();
  });

  it('makes one request at a time', async () => {
    let finish = (_: Answer<Load>): void => {};
    const { form, requests } = setUp(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const first = form.submit({ body: { file: 'a' }, visible: [] });
    expect(await form.submit({ body: { file: 'b' }, visible: [] })).toBeNull();
    finish(answer);
    expect(await first).toBe(answer);
    expect(requests).toEqual([{ file: 'a' }]);
  });
});
