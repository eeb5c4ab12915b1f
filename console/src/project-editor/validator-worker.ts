import type { ValidateRequest, ValidatorAnswer } from './editor-messages.ts';
import { tableSchemas, validateText } from './project-validator.ts';

const port = self as unknown as {
  postMessage(answer: ValidatorAnswer): void;
  onmessage: ((event: MessageEvent<ValidateRequest>) => void) | null;
};

port.onmessage = ({ data }) => port.postMessage(validateText(data));
port.postMessage({ kind: 'tables', tables: tableSchemas() });
