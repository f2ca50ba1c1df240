import type { Script } from '../../../actors/chiplet/interchiplet/script.ts';
import {
  type InterchipletConfig,
  type InterchipletPrograms,
  interchipletConfig,
  interchipletPrograms,
} from '../../../machines/chiplet/interchiplet-config.ts';

/** A run of a coordinator. */
export interface InterchipletWorkload {
  readonly config: InterchipletConfig;
  readonly programs: InterchipletPrograms;
  readonly mutants?: readonly string[];
}

/** Processes by place; with a rate for those whose clock is another one. An error of 0 lets all rounds run. */
export const workloadOf = (
  scripts: Readonly<Record<string, Script>>,
  rates: Readonly<Record<string, number>> = {},
  changes: object = {},
): InterchipletWorkload => ({
  config: interchipletConfig.parse({ rounds: 5, error: 0, ...changes }),
  programs: interchipletPrograms.parse(
    Object.entries(scripts).map(([place, script]) => {
      const [x, y] = place.split(',').map(Number);
      return { x, y, clockRate: rates[place] ?? 1, script };
    }),
  ),
});

/** Runs that show all that a coordinator does, by what they stress. */
export const workloads = {
  /** To and fro, with clocks that do not divide each other and a faster network. */
  transfers: workloadOf(
    {
      '0,0': [
        ['compute', 1000],
        ['send', 0, 1, 640],
        ['compute', 50],
        ['recv', 0, 1, 64],
        ['compute', 10],
      ],
      '0,1': [
        ['compute', 500],
        ['recv', 0, 0, 640],
        ['compute', 301],
        ['send', 0, 0, 64],
      ],
      '1,1': [
        ['compute', 7],
        ['send', 2, 2, 4096],
        ['send', 2, 2, 64],
        ['compute', 1],
      ],
      '2,2': [
        ['recv', 1, 1, 4096],
        ['recv', 1, 1, 64],
      ],
    },
    { '0,1': 3, '1,1': 1.5 },
    { networkRate: 2 },
  ),
  /** One sends two sizes, and two take one each, in the other order. */
  sizes: workloadOf({
    '0,0': [
      ['send', 0, 1, 640],
      ['compute', 20],
      ['send', 0, 1, 128],
    ],
    '0,1': [
      ['compute', 5],
      ['recv', 0, 0, 640],
      ['recv', 0, 0, 128],
    ],
    '1,0': [
      ['sleep', 1],
      ['send', 1, 1, 100],
    ],
    '1,1': [['recv', 1, 0, 100]],
  }),
  /** Two locks; who asks first on the host is not who asks first in the network. */
  locks: workloadOf({
    '0,0': [
      ['compute', 5000],
      ['lock', 250],
      ['compute', 500],
      ['unlock', 250],
      ['lock', 251],
      ['unlock', 251],
    ],
    '1,1': [
      ['sleep', 0.5],
      ['compute', 120],
      ['lock', 250],
      ['compute', 300],
      ['unlock', 250],
    ],
    '0,2': [
      ['compute', 700],
      ['lock', 251],
      ['lock', 251],
      ['compute', 40],
      ['unlock', 251],
      ['unlock', 251],
    ],
    '2,1': [
      ['sleep', 0.2],
      ['compute', 900],
      ['lock', 250],
      ['compute', 30],
      ['unlock', 250],
    ],
  }),
  /** Two ask for one lock at once. */
  contention: workloadOf({
    '0,1': [
      ['compute', 10],
      ['lock', 249],
      ['compute', 100],
      ['unlock', 249],
    ],
    '1,0': [
      ['compute', 30],
      ['lock', 249],
      ['compute', 70],
      ['unlock', 249],
    ],
  }),
  /** Four meet twice, two of them once more. */
  barriers: workloadOf({
    '0,0': [
      ['compute', 1000],
      ['barrier', 255, 4],
      ['compute', 700],
      ['barrier', 255, 4],
      ['barrier', 254, 2],
    ],
    '0,1': [
      ['compute', 1123],
      ['barrier', 255, 4],
      ['compute', 750],
      ['barrier', 255, 0],
      ['barrier', 254, 2],
    ],
    '1,0': [
      ['compute', 1500],
      ['barrier', 255, 4],
      ['compute', 400],
      ['barrier', 255, 4],
    ],
    '1,1': [
      ['compute', 1623],
      ['barrier', 255, 4],
      ['compute', 450],
      ['barrier', 255, 4],
    ],
  }),
  /** Two launch one, which waits for both; in the network they come in the other order. */
  launches: workloadOf({
    '0,0': [
      ['compute', 1000],
      ['launch', 1, 1],
      ['send', 1, 1, 1024],
      ['recv', 1, 1, 8],
    ],
    '0,1': [
      ['sleep', 0.1],
      ['compute', 200],
      ['launch', 1, 1],
    ],
    '1,1': [
      ['compute', 20],
      ['waitlaunch'],
      ['waitlaunch'],
      ['recv', 0, 0, 1024],
      ['compute', 400],
      ['send', 0, 0, 8],
    ],
  }),
} satisfies Readonly<Record<string, InterchipletWorkload>>;

/** A deadlock: the ends of a transfer have other sizes. */
export const misfits = workloadOf({ '0,0': [['send', 0, 1, 640]], '0,1': [['recv', 0, 0, 600]] });
