import { expect, test } from 'vitest';
import samples from '../../../../tests/samples/blanks.json';
import { type Grey, isBlank, type Sensitivity } from './blank';

type Rectangle = [number, number, number, number, number];
type Sample = {
  name: string;
  paper: number;
  grain: number;
  marks: (Rectangle | [string, ...number[]])[];
  blank: string[];
};

const [WIDTH, HEIGHT] = [424, 600];

/** As tests/tools/test_blank_pages.py draws it. */
function drawn({ paper, grain, marks }: Sample): Grey {
  const samples = new Uint8Array(WIDTH * HEIGHT);
  let state = 1n;
  for (let at = 0; at < samples.length; at += 1) {
    state = (state * 1103515245n + 12345n) % 2147483648n;
    samples[at] = Math.min(255, paper + (Number(state >> 16n) % (2 * grain + 1)) - grain);
  }
  for (const mark of marks) draw(samples, mark);
  return { width: WIDTH, height: HEIGHT, samples };
}

function draw(samples: Uint8Array, [first, ...rest]: Sample['marks'][number]): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 1] = rest as number[];
  const disc = (x: number, y: number) => (x - a) ** 2 + (y - b) ** 2 <= c ** 2;
  const dots = (x: number, y: number) =>
    x >= a && y >= b && x < a + c * e && y < b + d * e && (x - a) % e === 0 && (y - b) % e === 0;
  const left = first as number;
  const rectangle = (x: number, y: number) => x >= left && x < left + b && y >= a && y < a + c;
  const [inside, shade] = first === 'disc' ? [disc, d] : first === 'dots' ? [dots, 40] : [rectangle, d];
  for (let at = 0; at < samples.length; at += 1) {
    if (inside(at % WIDTH, Math.floor(at / WIDTH))) samples[at] = shade;
  }
}

test.each(samples as Sample[])('$name', (sample) => {
  const grey = drawn(sample);
  const found = (['strict', 'normal', 'tolerant'] as Sensitivity[]).filter((each) => isBlank(grey, each));
  expect(found).toEqual(sample.blank);
});
