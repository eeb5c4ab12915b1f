import { signal } from '@preact/signals';
import type { Schemas } from '../../../../src/base/json-schema/json-schema.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { Problem } from '../../forms/contract.ts';
import { type ApiAnswer, sendRequest } from './api-call.ts';
import type { ApiOperation } from './api-operations.ts';
import { firstExtent, templateText } from './body-template.ts';
import { checkRequest, firstParameters, type RequestDraft } from './request-draft.ts';

export class OperationCall {
  readonly operation: ApiOperation;
  readonly #first: RequestDraft;
  readonly draft = signal<RequestDraft>({ parameters: {}, body: '' });
  readonly problems = signal<readonly Problem[]>([]);
  readonly answer = signal<ApiAnswer | null>(null);
  readonly error = signal<ApiError | null>(null);
  readonly isBusy = signal(false);
  #stop: AbortController | null = null;

  constructor(operation: ApiOperation, schemas: Schemas) {
    this.operation = operation;
    const { body } = operation;
    this.#first = {
      parameters: firstParameters(operation),
      body: body ? templateText(body, schemas, firstExtent(body, schemas)) : '',
    };
    this.draft.value = this.#first;
  }

  isLike(other: OperationCall): boolean {
    return this.#contract === other.#contract;
  }

  get #contract(): string {
    return JSON.stringify([this.operation, this.#first]);
  }

  /** Copies the edited fields of another draft; fields that were not edited keep their defaults. */
  takeTyped(other: OperationCall): void {
    const { parameters, body } = other.draft.peek();
    for (const { name } of this.operation.parameters) {
      const typed = parameters[name];
      if (typed !== undefined && typed !== other.#first.parameters[name]) {
        this.setParameter(name, typed);
      }
    }
    if (body !== other.#first.body) this.setBody(body);
  }

  setParameter(name: string, text: string): void {
    const { parameters, body } = this.draft.peek();
    this.draft.value = { parameters: { ...parameters, [name]: text }, body };
    this.problems.value = this.problems.peek().filter(({ field }) => field !== name);
  }

  setBody(body: string): void {
    this.draft.value = { ...this.draft.peek(), body };
    const names = new Set(this.operation.parameters.map(({ name }) => name));
    this.problems.value = this.problems.peek().filter(({ field }) => names.has(field));
  }

  async send(schemas: Schemas): Promise<void> {
    if (this.isBusy.peek()) return;
    const { request, problems } = checkRequest(this.operation, this.draft.peek(), schemas);
    this.problems.value = problems;
    if (!request) return;
    this.isBusy.value = true;
    this.error.value = null;
    this.#stop = new AbortController();
    try {
      this.answer.value = await sendRequest(request, this.#stop.signal);
    } catch (thrown) {
      this.answer.value = null;
      this.error.value = this.#stop.signal.aborted ? null : (thrown as ApiError);
    }
    this.isBusy.value = false;
  }

  cancel(): void {
    this.#stop?.abort();
  }
}

const known = new Map<string, OperationCall>();

/** Draft of an operation; after a contract change, a new draft with the edited fields. */
export const callOf = (operation: ApiOperation, schemas: Schemas): OperationCall => {
  const there = known.get(operation.id);
  if (there?.operation === operation) return there;
  const made = new OperationCall(operation, schemas);
  if (there?.isLike(made)) return there;
  if (there) made.takeTyped(there);
  known.set(operation.id, made);
  return made;
};
