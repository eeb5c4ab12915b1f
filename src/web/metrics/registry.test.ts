import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { MetricRegistry } from './registry.ts';

interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface ParsedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: ParsedSample[];
}

const must = (holds: boolean, line: string): void => {
  if (!holds) expect.fail(`not in the exposition format: ${JSON.stringify(line)}`);
};

const unescapeText = (text: string, escapes: Readonly<Record<string, string>>): string =>
  text.replace(/\\(.)/gs, (whole, mark: string) => escapes[mark] ?? expect.fail(whole));

const parseLabels = (text: string): Record<string, string> => {
  const labels: Record<string, string> = {};
  const pair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(,|$)/y;
  while (pair.lastIndex < text.length) {
    const [, name = '', value = ''] = pair.exec(text) ?? expect.fail(`labels ${text}`);
    must(!(name in labels), text);
    labels[name] = unescapeText(value, { '\\': '\\', '"': '"', n: '\n' });
  }
  must(!text.endsWith(','), text);
  return labels;
};

const parseNumber = (text: string): number => {
  must(/^(NaN|[+-]Inf|-?\d+(\.\d+)?(e[+-]?\d+)?)$/.test(text), text);
  return Number(text.replace('Inf', 'Infinity'));
};

const parseSample = (line: string): ParsedSample => {
  const parts = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.+)\})? (\S+)$/s.exec(line);
  const [, name = '', labels = '', value = ''] = parts ?? expect.fail(line);
  return { name, labels: parseLabels(labels), value: parseNumber(value) };
};

/** Reads Prometheus text 0.0.4 and rejects anything out of order, repeated or misspelt. */
const parseExposition = (text: string): readonly ParsedFamily[] => {
  must(text === '' || text.endsWith('\n'), text);
  const families = new Map<string, ParsedFamily>();
  const seen = new Set<string>();
  const lines = text.split('\n').slice(0, -1);
  let current: ParsedFamily | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const head = /^# HELP (\S+) (.*)$/s.exec(line);
    if (head) {
      const [, name = '', help = ''] = head;
      must(!families.has(name), line);
      const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(lines[++index] ?? '');
      must(type?.[1] === name, line);
      const unescaped = unescapeText(help, { '\\': '\\', n: '\n' });
      current = { name, help: unescaped, type: type?.[2] ?? '', samples: [] };
      families.set(name, current);
      continue;
    }
    const sample = parseSample(line);
    const suffixes = current?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    must(
      suffixes.some((suffix) => sample.name === `${current?.name}${suffix}`),
      line,
    );
    const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    must(!seen.has(identity), line);
    seen.add(identity);
    current?.samples.push(sample);
  }
  return [...families.values()];
};

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom('\\', '"', '\n', '\r', '{', '}', ',', '=', ' ', '#', '\u2028', '\ud800'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const refusal = (call: () => unknown): string => {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown.message;
  }
  return expect.fail('nothing was refused');
};

describe('the rendered text', () => {
  it('states help and type once per family, families as declared and series sorted', () => {
    const registry = new MetricRegistry();
    const requests = registry.counter({
      name: 'busbar_http_requests_total',
      help: 'Requests answered',
      labels: { method: ['GET', 'POST'], route: 'open' },
    });
    registry.observed({
      name: 'busbar_clients',
      help: 'Clients now',
      type: 'gauge',
      read: (report) => report(2),
    });
    requests.add(2, { method: 'POST', route: '/b' });
    requests.add(1, { method: 'GET', route: '/b' });
    requests.add(1, { method: 'GET', route: '/a' });
    requests.add(1, { method: 'GET', route: '/b' });
    expect(registry.render()).toBe(`# HELP busbar_http_requests_total Requests answered
# TYPE busbar_http_requests_total counter
busbar_http_requests_total{method="GET",route="/a"} 1
busbar_http_requests_total{method="GET",route="/b"} 2
busbar_http_requests_total{method="POST",route="/b"} 2
# HELP busbar_clients Clients now
# TYPE busbar_clients gauge
busbar_clients 2
`);
  });

  it('is empty for an empty registry', () => {
    expect(new MetricRegistry().render()).toBe('');
  });

  it('sums up histogram buckets to the one without bound', () => {
    const registry = new MetricRegistry();
    const seconds = registry.histogram({
      name: 'request_seconds',
      help: 'Time',
      labels: { kind: ['sse', 'rest'] },
      buckets: [0.25, 1],
    });
    for (const value of [0.125, 0.25, 0.5, 8]) seconds.observe(value, { kind: 'rest' });
    expect(registry.render()).toBe(`# HELP request_seconds Time
# TYPE request_seconds histogram
request_seconds_bucket{kind="rest",le="0.25"} 2
request_seconds_bucket{kind="rest",le="1"} 3
request_seconds_bucket{kind="rest",le="+Inf"} 4
request_seconds_sum{kind="rest"} 8.875
request_seconds_count{kind="rest"} 4
`);
  });

  it('shows families without labels as zero before anything happened', () => {
    const registry = new MetricRegistry();
    registry.counter({ name: 'a_total', help: 'A' });
    registry.histogram({ name: 'b', help: 'B', buckets: [] });
    const [counter, histogram] = parseExposition(registry.render());
    expect(counter?.samples).toEqual([{ name: 'a_total', labels: {}, value: 0 }]);
    expect(histogram?.samples.map(({ value }) => value)).toEqual([0, 0, 0]);
  });

  it.each([
    [9_007_199_254_740_991, '9007199254740991'],
    [100_000_000_000_000_000_000, '100000000000000000000'],
    [-0, '0'],
    [0.1, '0.1'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('spells %d as %s', (value, spelled) => {
    const registry = new MetricRegistry();
    registry.observed({ name: 'x', help: 'X', type: 'gauge', read: (report) => report(value) });
    expect(registry.render().split('\n')[2]).toBe(`x ${spelled}`);
  });

  it('gives back any help and any well-formed label value through a strict parser', () => {
    const roundTrip = fc.property(hostileText, hostileText, hostileText, (help, declared, open) => {
      const registry = new MetricRegistry();
      const labels = { declared: [declared], open: 'open' } as const;
      registry.counter({ name: 'x', help, labels }).add(1, { declared, open });
      const expected = /\p{Cs}/u.test(open) ? 'other' : open;
      const [family] = parseExposition(registry.render());
      expect(family?.help).toBe(help);
      expect(family?.samples).toEqual([
        { name: 'x', labels: { declared, open: expected }, value: 1 },
      ]);
    });
    fc.assert(roundTrip, { seed: 7, numRuns: 300 });
  });
});

describe('the number of series', () => {
  it('does not grow with values outside a declared list', () => {
    const registry = new MetricRegistry();
    const requests = registry.counter({ name: 'r', help: 'R', labels: { method: ['GET'] } });
    for (const method of ['GET', 'BREW', 'WHEN', 'constructor']) requests.add(1, { method });
    const [family] = parseExposition(registry.render());
    expect(family?.samples).toEqual([
      { name: 'r', labels: { method: 'GET' }, value: 1 },
      { name: 'r', labels: { method: 'other' }, value: 3 },
    ]);
  });

  it('stops at 512, and what comes later is counted as other without losing any', () => {
    const registry = new MetricRegistry();
    const hits = registry.counter({ name: 'h', help: 'H', labels: { a: 'open', b: 'open' } });
    for (let index = 0; index < 2000; index++) hits.add(1, { a: `${index}`, b: 'x' });
    hits.add(1, { a: '0', b: 'x' });
    const samples = parseExposition(registry.render())[0]?.samples ?? [];
    expect(samples).toHaveLength(512);
    const others = samples.find(({ labels }) => labels.a === 'other');
    expect(others).toEqual({ name: 'h', labels: { a: 'other', b: 'other' }, value: 2000 - 511 });
    expect(samples.find(({ labels }) => labels.a === '0')?.value).toBe(2);
  });

  it('counts an open value of excessive length as other', () => {
    const registry = new MetricRegistry();
    const hits = registry.counter({ name: 'h', help: 'H', labels: { route: 'open' } });
    hits.add(1, { route: 'x'.repeat(201) });
    expect(parseExposition(registry.render())[0]?.samples[0]?.labels).toEqual({ route: 'other' });
  });
});

describe('observed families', () => {
  it('are read at every rendering and forget series that are gone', () => {
    const registry = new MetricRegistry();
    let channels = [
      { slot: '0', rx: 5 },
      { slot: '1', rx: 6 },
    ];
    registry.observed({
      type: 'counter',
      name: 'rx_frames_total',
      help: 'Frames received',
      labels: { channel: 'open' },
      read: (report) => {
        for (const { slot, rx } of channels) report(rx, { channel: slot });
      },
    });
    registry.observed({ type: 'gauge', name: 'up', help: 'Up', read: (report) => report(1) });
    expect(parseExposition(registry.render())[0]?.samples).toHaveLength(2);
    channels = [{ slot: '1', rx: 9 }];
    const [frames, up] = parseExposition(registry.render());
    expect(frames?.samples).toEqual([
      { name: 'rx_frames_total', labels: { channel: '1' }, value: 9 },
    ]);
    expect(up?.samples).toEqual([{ name: 'up', labels: {}, value: 1 }]);
  });

  it('add up what falls into the same series', () => {
    const registry = new MetricRegistry();
    registry.observed({
      type: 'gauge',
      name: 'g',
      help: 'G',
      labels: { id: 'open' },
      maxSeries: 2,
      read: (report) => {
        for (const id of ['a', 'b', 'c']) report(10, { id });
      },
    });
    expect(registry.render()).toContain('g{id="a"} 10\ng{id="other"} 20\n');
  });
});

describe('a wrong declaration', () => {
  it('is refused when its name is taken, also by the lines of a histogram', () => {
    const registry = new MetricRegistry();
    registry.histogram({ name: 'x', help: 'X', buckets: [1] });
    expect(refusal(() => registry.counter({ name: 'x', help: '' }))).toContain('already declared');
    expect(refusal(() => registry.counter({ name: 'x_sum', help: '' }))).toContain(
      'already declared',
    );
    expect(registry.render().match(/# TYPE/g)).toHaveLength(1);
  });

  it.each(['', '1x', 'a-b', 'é', 'a b'])('is refused for the name "%s"', (name) => {
    expect(refusal(() => new MetricRegistry().counter({ name, help: '' }))).toContain(
      'metric name',
    );
  });

  it.each(['__name__', 'a:b', '1', 'le'])('is refused for the histogram label %s', (label) => {
    const declare = () =>
      new MetricRegistry().histogram({
        name: 'x',
        help: '',
        buckets: [],
        labels: { [label]: ['a'] },
      });
    expect(refusal(declare)).toContain(`label ${label}`);
  });

  it.each([[[2, 1]], [[1, 1]], [[Number.NaN]], [[1, Number.POSITIVE_INFINITY]]])(
    'is refused for the buckets %j',
    (buckets) => {
      const declare = () => new MetricRegistry().histogram({ name: 'x', help: '', buckets });
      expect(refusal(declare)).toContain('must be finite and ascending');
    },
  );
});

describe('a wrong value', () => {
  it('is refused by a counter that would shrink and a histogram that would lose its sum', () => {
    const registry = new MetricRegistry();
    const counter = registry.counter({ name: 'c', help: '' });
    const histogram = registry.histogram({ name: 'h', help: '', buckets: [] });
    expect(refusal(() => counter.add(-1))).toContain('-1');
    expect(refusal(() => counter.add(Number.NaN))).toContain('NaN');
    expect(refusal(() => histogram.observe(Number.NaN))).toContain('NaN');
    expect(registry.render()).toContain('c 0\n');
  });
});
