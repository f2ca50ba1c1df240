import { existsSync } from 'node:fs';
import { kernelTrials } from './judge-order.ts';
import { filesOf } from './project-files.ts';

/** What is changed for a family, and what may notice it. */
export interface Family {
  readonly name: string;
  /** Folders and files whose behaviour is changed. */
  readonly sources: readonly string[];
  /** Of these, what nothing that runs depends on: pictures, reports, catalogues of faults, tools of tests. */
  readonly views: RegExp;
  /** Machines that `fuzz` is asked for, the quickest first; `grape/10` has a tenth of the runs. */
  readonly machines: readonly string[];
  /** Folders of scenarios that are run as they are. */
  readonly scenarios: readonly string[];
  /** Folders with the tests of the family. */
  readonly tests: readonly string[];
}

const machineFamily = (name: string, machines: readonly string[], views: RegExp): Family => ({
  name,
  sources: [`actors/${name}`, `machines/${name}`, `machines/${name}.ts`].filter((path) => existsSync(path)),
  views,
  machines,
  scenarios: [`scenarios/${name}`],
  tests: [`actors/${name}`, `machines/${name}`, `scenarios/${name}`, `properties/${name}`, `cli/${name}`],
});

/** The families whose sources can be changed. */
export const families: readonly Family[] = [
  {
    name: 'kernel',
    sources: ['kernel'],
    views:
      /\/(testing\/|coverage-(sum|summary|unseen)|random-machine|contract|equivalence|cycle-picture|errors|features)/,
    machines: [
      kernelTrials,
      'register',
      'mutual-exclusion',
      'two-phase-commit',
      // What the kernel does for these it does in each of their runs, which take ten times as long.
      ...['cellbe/4', 'grape/10', 'tca/10', 'cell/10'],
    ],
    scenarios: ['scenarios/protocols', 'scenarios/cell'],
    tests: [
      'kernel',
      'actors/common',
      'actors/protocols',
      'machines/protocols',
      'properties/explore',
      'properties/kernel',
      'properties/temporal',
      'properties/protocols',
    ],
  },
  machineFamily(
    'cell',
    ['cellbe', 'cell'],
    /\/(picture-|ring-marks|request-marks|space-time|sketch|legend|transfer-words|transfers-of-log|occupancy|ring-occupation|cycle-scale|facade|log-of-result|figures|mutants|cellbe-mutants|cellbe\.anchors|scene)/,
  ),
  machineFamily(
    'sunway',
    ['sunway'],
    /\/(mutants|faults\/|file-digits|written-check|scene|calibration\/|views\/|monitors\/activity\/|program-places|program-trace|race-report|race-story|small-machine|deadlock-text)/,
  ),
  machineFamily('tca', ['tca'], /\/(timeline|scene|[\w-]*mutants)/),
  machineFamily('grape', ['grape'], /\/(testing\/|slot-picture|slot-timeline|scene|mutants)/),
  machineFamily(
    'chiplet',
    ['chiplet', 'chiplet-network', 'interchiplet'],
    /\/(testing\/|[\w-]*mutants|popnet-latencies|load-curve|[\w-]*scene|system-timeline|heat-map|curve-picture|measured-|one-instruction|instruction-chains)/,
  ),
];

/** The files of a family that are changed; with `views` also those that nothing that runs depends on. */
export const sourcesOf = ({ sources, views }: Family, withViews: boolean): readonly string[] =>
  sources
    .flatMap(filesOf)
    .filter(
      (file) =>
        file.endsWith('.ts') &&
        !/\.(test|campaign|arbitrary|bench)\.ts$/.test(file) &&
        (withViews || !views.test(`/${file}`)),
    );
