import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createConnection } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any response
  json(): any;
}

interface Question {
  readonly port: number;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const answerOf = (status: number, headers: IncomingHttpHeaders, text: string): HttpAnswer => ({
  status,
  headers,
  text,
  json: () => JSON.parse(text),
});

/** One request on a separate connection, with a Host that the listener accepts. */
export const ask = ({
  port,
  method = 'GET',
  path,
  headers = {},
  body,
}: Question): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const host = { host: `127.0.0.1:${port}` };
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: { ...host, ...headers }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve(answerOf(response.statusCode ?? 0, response.headers, text)),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });

export const askJson = (
  question: Omit<Question, 'body'> & { json: unknown },
): Promise<HttpAnswer> =>
  ask({
    method: 'POST',
    ...question,
    headers: { 'content-type': 'application/json', ...question.headers },
    body: JSON.stringify(question.json),
  });

const parseAnswer = (bytes: string): HttpAnswer => {
  const [head = '', text = ''] = bytes.split(/\r\n\r\n(.*)/s);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return answerOf(Number(statusLine.split(' ')[1] ?? 0), headers, text);
};

/** Sends raw bytes and returns everything received until the server closed the connection. */
export const sendRaw = (port: number, bytes: string | Buffer): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (received === '') reject(error);
    });
    socket.on('close', () => resolve(parseAnswer(received)));
    socket.write(bytes);
  });
