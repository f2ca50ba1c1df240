import { defineConfig } from 'vitepress';
import { apiTopics } from '../../build/guide/api-topics.ts';

const page = (text: string, link: string) => ({ text, link });

/** The site of the guide; `npm run docs` makes its pages in `out/guide/source` first. */
export default defineConfig({
  title: 'Lockstep',
  description:
    'Model machines and protocols made of parts that exchange messages; check every schedule, fuzz, replay, explain.',
  srcDir: '../out/guide/source',
  outDir: '../out/guide/site',
  cacheDir: '../out/guide/cache',
  base: process.env['GUIDE_BASE'] ?? '/',
  cleanUrls: false,
  lastUpdated: false,
  markdown: { theme: { light: 'github-light', dark: 'github-dark' } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Names and sentences are found, blocks of code are not: highlighting them once more would take a third of the time.
        _render: (text, env, markdown) => markdown.render(text.replace(/^```[\s\S]*?^```$/gm, ''), env),
      },
    },
    outline: [2, 3],
    nav: [
      page('Guide', '/model-your-protocol'),
      page('Machines', '/machines/'),
      page('Reference', '/reference/command-line/'),
      page('Glossary', '/glossary'),
    ],
    sidebar: [
      {
        text: 'Begin',
        items: [
          page('What it is', '/what-it-is'),
          page('Your first protocol', '/model-your-protocol'),
          page('A project of your own', '/own-project'),
          page('Testing machines', '/testing'),
        ],
      },
      {
        text: 'Model',
        items: [
          page('Messages', '/messages'),
          page('Asynchronous networks', '/networks'),
          page('Memory that actors share', '/shared-memory'),
          page('Timers', '/timers'),
          page('Faults', '/faults'),
          page('Crashes', '/crashes'),
          page('Symmetry', '/symmetry'),
        ],
      },
      {
        text: 'Say what must hold',
        items: [
          page('Properties', '/properties'),
          page('Liveness', '/liveness'),
          page('Linearizability', '/linearizability'),
          page('Refinement and traces', '/refinement'),
        ],
      },
      {
        text: 'Look at runs',
        items: [
          page('Watch a run', '/viewer'),
          page('Reading an explanation', '/explanations'),
          page('Schedules and fuzzing', '/fuzzing'),
          page('Campaigns in parts', '/campaigns'),
          page('A farm', '/farm'),
          page('Pictures', '/pictures'),
          page('Troubleshooting', '/troubleshooting'),
        ],
      },
      {
        text: 'Machines',
        items: [
          page('All machines', '/machines/'),
          ...[
            'cell',
            'cell-arbiter',
            'cellbe',
            'chiplet',
            'chiplet-network',
            'interchiplet',
            'grape',
            'grape-control',
            'sunway',
            'tca',
          ].map((name) => page(name, `/machines/${name}`)),
          page('Your own CUDA kernels', '/machines/cuda-kernels'),
          page('PTX instructions', '/machines/ptx-instructions'),
          page('Protocols of the literature', '/protocols'),
          {
            text: 'Each protocol',
            collapsed: true,
            items: [
              'abd',
              'alternating-bit',
              'bakery',
              'fairness',
              'gossip-counter',
              'k-state-ring',
              'lamport-mutex',
              'lease-lock',
              'mesi',
              'multi-paxos',
              'mutual-exclusion',
              'paxos',
              'philosophers',
              'ping-pong',
              'raft',
              'recoverable-commit',
              'register',
              'ring-election',
              'single-copy',
              'sliding-window',
              'snapshot',
              'two-phase-commit',
            ].map((name) => page(name, `/machines/${name}`)),
          },
        ],
      },
      {
        text: 'How it works inside',
        items: [
          page('The kernel', '/inside/kernel'),
          page('State machines', '/inside/state-machines'),
          page('The explorer', '/inside/explorer'),
          page('Replay and explanations', '/inside/replay'),
          page('Compared with others', '/comparison'),
        ],
      },
      {
        text: 'Reference',
        items: [
          {
            text: 'Command line',
            collapsed: true,
            link: '/reference/command-line/',
            items: ['cell', 'chiplet', 'grape', 'sunway', 'tca'].map((name) =>
              page(`lockstep ${name}`, `/reference/command-line/${name}`),
            ),
          },
          {
            text: 'API',
            collapsed: true,
            link: '/reference/api/',
            items: apiTopics.map((one) => page(one.title, `/reference/api/${one.page}`)),
          },
          page('Scenario files', '/reference/scenario-files'),
          page('Error codes', '/reference/errors'),
          page('Exit codes', '/exit-codes'),
          page('Glossary', '/glossary'),
          page('How this guide is kept', '/about-this-guide'),
        ],
      },
    ],
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
