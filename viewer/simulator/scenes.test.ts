import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import type { Scene } from '../../machines/scene.ts';
import type { Opened } from '../protocol.ts';
import { Session } from './session.ts';

/** Opens a scenario as the page does. */
async function opened(file: string): Promise<{ readonly session: Session; readonly page: Opened }> {
  const session = new Session();
  const text = readFileSync(file, 'utf8');
  return {
    session,
    page: await session.open({ kind: 'scenario', file: resolve(file), text, label: file, files: {} }),
  };
}

/** Moments all over a run: its beginning, its end, and places between. */
const placesIn = ({ run }: Opened, count: number): readonly number[] =>
  Array.from({ length: count + 1 }, (_, k) => Math.round(((run.columns.count - 1) * k) / count));

const sceneAt = (session: Session, at: number): Scene => session.moment({ at, scene: true }).scene!;

describe.each([
  ['cell', 'scenarios/cell/worked-trace.yaml'],
  ['cell in bursts', 'scenarios/cell/saturation.yaml'],
  ['Element Interconnect Bus', 'scenarios/cell/cellbe-hot-spot.yaml'],
  ['processes under a coordinator', 'scenarios/chiplet/interchiplet-seed-matmul.yaml'],
  ['chiplet network', 'scenarios/chiplet/transpose.yaml'],
  ['coupled chiplets', 'scenarios/chiplet/system-matmul.yaml'],
  ['chiplets without a network', 'scenarios/chiplet/system-pipeline.yaml'],
  ['sunway', 'scenarios/sunway/slow-transfers.yaml'],
  ['sunway in flits', 'scenarios/sunway/one-in-flits.yaml'],
  ['tca', 'scenarios/tca/four-channels.yaml'],
  ['grape', 'scenarios/grape/density.yaml'],
])('the machine draws itself at any moment: %s', (_, file) => {
  test('within its frame, with actors that there are, and something to be seen', async () => {
    const { session, page } = await opened(file);
    const tones = new Set<unknown>();
    for (const at of placesIn(page, effort({ short: 3, long: 6 }))) {
      const { states, scene } = session.moment({ at, scene: true });
      const { width, height, shapes, legend } = scene!;
      const there = new Set(states.map(({ actor }) => actor));
      for (const shape of shapes) {
        if (shape.kind !== 'text') tones.add(shape.tone);
        const corners: readonly (readonly [number, number])[] =
          shape.kind === 'line'
            ? shape.points
            : shape.kind === 'box'
              ? [
                  [shape.x, shape.y],
                  [shape.x + shape.width, shape.y + shape.height],
                ]
              : [[shape.x, shape.y]];
        for (const [x, y] of corners) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(height);
        }
        if (shape.kind !== 'box') continue;
        if (shape.actor !== undefined) expect(there).toContain(shape.actor);
        const { level = 0 } = shape;
        expect(level).toBeGreaterThanOrEqual(0);
        expect(level).toBeLessThanOrEqual(1);
      }
      expect(new Set(legend.map(({ tone }) => tone)).size).toBe(legend.length);
    }
    expect(tones.has('work') || tones.has('wait')).toBe(true);
    expect(tones.size).toBeGreaterThan(2);
  });
});

test('the rings of a Cell machine show each byte that moves', async () => {
  const { session, page } = await opened('scenarios/cell/worked-trace.yaml');
  const arcs = new Map<number, number>();
  for (const at of placesIn(page, page.run.columns.count - 1)) {
    const { tick, scene } = session.moment({ at, scene: true });
    const shown = scene!.shapes.filter((shape) => shape.kind === 'line' && shape.head).length;
    // What is known of a cycle at its last delivery.
    arcs.set(tick, shown);
  }
  const bytes = Number(
    /^\d+/.exec(page.run.ending.figures.find(({ label }) => label === 'bytes moved')!.value)![0],
  );

  expect([...arcs.values()].reduce((sum, one) => sum + one, 0)).toBe(bytes);
});

test('a moment has no picture that nobody asked for', async () => {
  const { session } = await opened('scenarios/cell/worked-trace.yaml');

  expect(session.moment({ at: 0 }).scene).toBeUndefined();
  expect(sceneAt(session, 0).shapes.length).toBeGreaterThan(0);
});
