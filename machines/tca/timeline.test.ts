import { describe, expect, test } from 'vitest';
import { tcaConfig } from './config.ts';
import { peaks, type TcaRecord, timelineOf, utilisation } from './timeline.ts';
import { timelinePicture, timelineSketch } from './timeline-picture.ts';

const config = tcaConfig.parse({});
const dmac = 'Node[0].Dmac[0]';

/** A doorbell in tick 0, tags from 100 to 900, a completion of 108 bytes with 20 more on the wire that ends in tick 500, a flag in tick 1000. */
const records: readonly TcaRecord[] = [
  { ev: 'dmac.doorbell', t: 0, from: 'Node[0].Cpu', to: dmac },
  { ev: 'tag.grant', t: 100, from: 'Node[0].TagPool', to: dmac },
  { ev: 'tag.grant', t: 200, from: 'Node[0].TagPool', to: dmac },
  { ev: 'tlp.completion', t: 500, from: 'Node[0].Link.Down', to: 'Node[0].Router', data: 108 },
  { ev: 'tag.free', t: 700, from: 'Node[0].TagPool', to: dmac },
  { ev: 'tag.free', t: 900, from: 'Node[0].TagPool', to: dmac },
  { ev: 'flag.set', t: 1000, from: 'Node[1].CpuMemory', to: 'Node[1].Cpu', source: 0, slot: 0 },
];
const timeline = timelineOf(config, records);

describe('the timeline of a run', () => {
  test('counts tags in flight, and how long a link is busy', () => {
    expect(timeline.tags).toEqual([
      {
        name: dmac,
        most: 32,
        steps: [
          { t: 100, value: 1 },
          { t: 200, value: 2 },
          { t: 700, value: 1 },
          { t: 900, value: 0 },
        ],
      },
    ]);
    expect(timeline.links).toEqual([{ name: 'Node[0].Link.Down', busy: [[372, 500]] }]);
    expect(timeline.transfers).toEqual([{ source: 0, target: 1, slot: 0, from: 0, to: 1000 }]);
  });

  test('takes latencies of cables and hosts from what arrives', () => {
    const write = { ev: 'tlp.write', t: 1000, to: 'Node[1].Router', data: 8 };
    const busy = ['Node[0].Link.E', 'Node[1].Link.Up'].map(
      (from) => timelineOf(config, [{ ...write, from }]).links[0]!.busy[0],
    );

    expect(busy).toEqual([
      [840, 872],
      [520, 552],
    ]);
  });

  test('gives shares and peaks of equal spans', () => {
    expect(peaks(timeline.tags[0]!, 1000, 5)).toEqual([1, 2, 2, 2, 1]);
    expect(utilisation(timeline.links[0]!, 1000, 5).map((share) => Number(share.toFixed(3)))).toEqual([
      0, 0.14, 0.5, 0, 0,
    ]);
  });

  test('is drawn with a tooltip on every transfer, channel and link', () => {
    const picture = timelinePicture('a <run>', timeline);

    for (const words of [
      'a &lt;run&gt;',
      '0.25 µs',
      'node 0 to node 1, slot 0: 0.250 µs',
      'Node[0].Dmac[0]: 2 of 32 tags at most',
      'Node[0].Link.Down: 100 % here, 13 % over all',
    ])
      expect(picture).toContain(words);
  });

  test('is sketched with a column a span', () => {
    expect(timelineSketch(timeline, 40).split('\n')).toEqual([
      '0 to 0.25 us; D doorbell, F flag; shades: share of the tags, of the time of a link',
      'Node[0]           |D...................|',
      'Node[1]           |...................F|',
      'Node[0].Dmac[0]   |  ................  |',
      'Node[0].Link.Down |       *@@          |',
      '',
    ]);
    expect(timelineSketch(timelineOf(config, []), 80)).toBe('');
  });
});
