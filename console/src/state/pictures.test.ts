import { beforeEach, describe, expect, it } from 'vitest';
import { Pictures, pictureMs } from './pictures.ts';

let now: number;
let alarms: { at: number; run: () => void }[];
let beforeFrame: (() => void)[];
let drawn: string[];
let pictures: Pictures;

/** The screen has a frame every ten milliseconds; an alarm is due before the frame of its time. */
const pass = (ms: number): void => {
  for (const end = now + ms; now < end; ) {
    now += 10;
    ring();
    for (const run of beforeFrame.splice(0)) run();
    ring();
  }
};

const ring = (): void => {
  for (const alarm of alarms.filter(({ at }) => at <= now)) {
    if (alarms.includes(alarm)) alarms.splice(alarms.indexOf(alarm), 1);
    alarm.run();
  }
};

const draws =
  (name: string, tookMs = 0) =>
  (): void => {
    drawn.push(`${name} at ${now}`);
    now += tookMs;
  };

beforeEach(() => {
  now = 0;
  alarms = [];
  beforeFrame = [];
  drawn = [];
  pictures = new Pictures({
    now: () => now,
    later: (run, ms) => {
      const alarm = { at: now + ms, run };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((each) => each !== alarm);
      };
    },
    beforeFrame: (run) => beforeFrame.push(run),
  });
});

describe('Pictures', () => {
  it('draws the first request in the next frame, and all requests of a picture together', () => {
    const twice = draws('a');
    pictures.request(twice);
    pictures.request(draws('b'));
    pictures.request(twice);
    expect(drawn).toEqual([]);
    pass(10);
    expect(drawn).toEqual(['a at 10', 'b at 10']);
  });

  it('draws requests that never end once a picture', () => {
    const a = draws('a');
    const endless = (): void => {
      pictures.request(endless);
      a();
    };
    pictures.request(endless);
    pass(3 * pictureMs);
    expect(drawn).toEqual(['a at 10', `a at ${10 + pictureMs}`, `a at ${10 + 2 * pictureMs}`]);
  });

  it('draws in the next frame again after a pause', () => {
    pictures.request(draws('a'));
    pass(5 * pictureMs);
    pictures.request(draws('b'));
    pass(10);
    expect(drawn).toEqual(['a at 10', `b at ${5 * pictureMs + 10}`]);
  });

  it('draws what waits after the frame with the direct effect of an input', () => {
    pictures.request(draws('a'));
    pass(10);
    pictures.request(draws('b'));
    pass(10);
    pictures.hurry();
    pass(10);
    pictures.request(draws('c'));
    pass(10);
    pictures.request(draws('d'));
    pass(10);
    expect(drawn).toEqual(['a at 10', 'b at 40', 'c at 40', 'd at 50']);
  });

  it('rests twice as long as drawing took, within limits', () => {
    pictures.request(draws('slow', 80));
    pass(10);
    pictures.request(draws('slower', 900));
    pass(300);
    pictures.request(draws('last'));
    pass(2000);
    expect(drawn).toEqual(['slow at 10', 'slower at 170', 'last at 1080']);
  });

  it('draws all that waits with a caller that has its own rate, in the next frame', () => {
    pictures.join(draws('rows'));
    pictures.request(draws('a'));
    pass(10);
    pictures.request(draws('b'));
    pass(20);
    pictures.join(draws('rows'));
    pass(10);
    expect(drawn).toEqual(['rows at 10', 'a at 10', 'b at 40', 'rows at 40']);
  });

  it('lets other requests wait a little for such a caller, and then draws them alone', () => {
    pictures.join(draws('rows'));
    pass(10);
    pictures.request(draws('a'));
    pass(pictureMs);
    expect(drawn).toEqual(['rows at 10']);
    pass(pictureMs);
    expect(drawn).toEqual(['rows at 10', `a at ${10 + pictureMs + 30}`]);
  });

  it('draws what such a caller requests while a picture is drawn at its end', () => {
    pictures.request(() => void pictures.join(draws('rows')));
    pictures.request(draws('a'));
    pass(10);
    expect(drawn).toEqual(['a at 10', 'rows at 10']);
  });

  it('does not draw what is cancelled', () => {
    pictures.request(draws('a'))();
    pass(pictureMs);
    expect(drawn).toEqual([]);
  });

  it('draws in the next picture what an error kept from being drawn', () => {
    pictures.request(() => {
      throw new Error('drawing failed');
    });
    pictures.request(draws('a'));
    expect(() => pass(10)).toThrow('drawing failed');
    pass(2 * pictureMs);
    expect(drawn).toHaveLength(1);
  });
});
