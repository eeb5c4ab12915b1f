import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { SampleService } from './testing/sample-service.ts';
import { TestServer } from './testing/test-server.ts';

const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' };
const declined = { Connection: 'Upgrade', Upgrade: 'h2c' };
const lateUs = 7;

let http: TestServer;

beforeEach(async () => {
  const clock = new FakeClock();
  http = await TestServer.start({ ...new SampleService(), clock });
  // Duration of each response, from its route or error to the end.
  http.onLogged = ({ event }) => {
    if (event !== 'request') clock.advanceUs(lateUs);
  };
});
afterEach(() => http.close());

/** Log records of one request, from first to last. */
const logOf = async (line: string, headers: Record<string, string>, body = '') => {
  http.connect().request(line, { ...headers, Connection: headers.Connection ?? 'close' }, body);
  await eventually(() => http.logged('request').length === 1);
  return http.log;
};

const parts = '/api/v1/parts';

describe('the debug log', () => {
  it.each([
    ['a WebSocket at a path that speaks none', `GET ${parts}`, upgrade, parts, 400],
    ['a WebSocket at a path that does not exist', 'GET /api/v1/nothing', upgrade, null, 404],
    ['a WebSocket with another method', `PUT ${parts}`, upgrade, null, 400],
    ['another upgrade, with a body', `GET ${parts}/p1`, declined, `${parts}/{part_id}`, 400],
    ['a tunnel', 'CONNECT a:1', {}, null, 405],
  ])('has route, error and time of %s', async (_, line, headers, route, status) => {
    const log = await logOf(line, headers, status === 400 && headers === declined ? 'x' : '');
    const [method] = line.split(' ');
    const id = log[0]?.request_id;
    expect(id).toBeTypeOf('string');
    expect(log).toMatchObject([
      { event: 'route', method, hit: route !== null, route, request_id: id },
      { event: 'error_detail', request_id: id },
      { event: 'request', method, status, duration_us: 2 * lateUs, request_id: id },
    ]);
  });

  it.each([
    ['a console file', 'GET /', '/*', 200],
    ['an operation', `GET ${parts}`, parts, 200],
    ['a file that does not exist', 'GET /nothing.html', null, 404],
    ['a method that files do not take', 'PUT /', null, 405],
    ['a path that is not percent-encoded', `GET ${parts}/%zz`, null, 400],
  ])('has one route for %s', async (_, line, route, status) => {
    await logOf(line, {});
    expect(http.logged('route')).toMatchObject([{ hit: route !== null, route }]);
    expect(http.logged('request')).toMatchObject([{ status }]);
  });

  it('says nothing of a route where no request could be read', async () => {
    http.connect().send('hello\r\n\r\n');
    await eventually(() => http.logged('request').length === 1);
    expect(http.log.map(({ event }) => event)).toEqual(['error_detail', 'request']);
  });
});
