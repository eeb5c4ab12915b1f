import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SampleService } from './testing/sample-service.ts';
import { TestServer } from './testing/test-server.ts';

let http: TestServer;

beforeAll(async () => {
  http = await TestServer.start(new SampleService());
});

afterAll(() => http.close());

describe('a path that is no percent-encoding', () => {
  it.each([
    ['GET /api/v1/parts/%', { field: 'part_id' }],
    ['GET /api/v1/parts/%FF', { field: 'part_id' }],
    ['POST /api/v1/parts/%zz/moves', { field: 'part_id' }],
    ['GET /api/v1/%zz', {}],
  ])('is refused with its parameter where it has one: %s', async (line, details) => {
    const response = await http.connect().request(line).response();
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body).error).toMatchObject({ code: 'invalid_argument' });
    expect(JSON.parse(response.body).error.details).toEqual(details);
  });
});
