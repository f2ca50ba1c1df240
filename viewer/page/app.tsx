import { useEffect } from 'preact/hooks';
import type { Client } from './client.ts';
import { heightOf } from './draw-timeline.ts';
import { ExplorerPanel } from './explorer.tsx';
import { play, playing, step, useKeys } from './keys.ts';
import { MachinePanel } from './machine.tsx';
import {
  ActorPanel,
  ChoicesPanel,
  choosePanel,
  ExplanationPanel,
  FindingsPanel,
  MessagePanel,
  panelsShown,
  Verdict,
  verdictOf,
  WaitsPanel,
} from './panels.tsx';
import {
  axis,
  failure,
  filter,
  fork,
  forkShown,
  goTo,
  helpShown,
  opened,
  panel,
  playHead,
  progress,
  run,
  showAll,
} from './store.ts';
import { Timeline } from './timeline.tsx';
import { WiringPanel } from './wiring.tsx';

/** The page of a run; `client` comes when it is known what is opened. */
export function App({ client }: { readonly client: Client | undefined }) {
  useKeys();
  const page = opened.value;
  return (
    <>
      <Header />
      {failure.value && (
        <div class="failure" role="alert">
          <pre>{failure.value}</pre>
          <button
            type="button"
            onClick={() => {
              failure.value = '';
            }}
          >
            Close
          </button>
        </div>
      )}
      {!page || !client ? (
        <main class="loading" aria-busy="true">
          {progress.value && <p role="status">{progress.value} …</p>}
        </main>
      ) : (
        <main>
          <div
            class="timelines"
            // No more than its lanes need: what is below is read.
            style={{ maxHeight: (fork.value ? 2 : 1) * heightOf(page.run.actors.length) }}
          >
            <Timeline changed={false} />
            {fork.value && <Timeline changed />}
          </div>
          <div class="panels">
            <ActorPanel />
            <section class="panel">
              <div class="tabs" role="tablist">
                {panelsShown().map((name) => (
                  <button
                    key={name}
                    type="button"
                    role="tab"
                    aria-selected={panel.value === name}
                    onClick={() => choosePanel(name)}
                  >
                    {name}
                    {name === 'findings' && run.value!.marks.length > 0 && ` ${run.value!.marks.length}`}
                    {name === 'waits' &&
                      run.value!.ending.waiting.length > 0 &&
                      ` ${run.value!.ending.waiting.length}`}
                  </button>
                ))}
              </div>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keys. */}
              <div class="tab" role="tabpanel" aria-label={panel.value} tabIndex={0}>
                {panel.value === 'message' && <MessagePanel />}
                {panel.value === 'choices' && <ChoicesPanel client={client} />}
                {panel.value === 'waits' && <WaitsPanel />}
                {panel.value === 'wiring' && <WiringPanel />}
                {panel.value === 'machine' && <MachinePanel />}
                {panel.value === 'explorer' && <ExplorerPanel client={client} />}
                {panel.value === 'findings' && <FindingsPanel />}
                {panel.value === 'explanation' && <ExplanationPanel client={client} />}
              </div>
            </section>
          </div>
        </main>
      )}
      {helpShown.value && <Help />}
    </>
  );
}

function Header() {
  const page = opened.value;
  const own = run.value;
  return (
    <header>
      <h1 title={page?.file}>
        {page ? page.title : 'Lockstep'} <span class="quiet">{page?.machine}</span>
      </h1>
      {own &&
        (own.isUnjudged ? (
          <span class="quiet">not judged yet</span>
        ) : (
          <Verdict verdict={verdictOf(own.ending)} />
        ))}
      {page?.difference && (
        <span class="warn" role="alert">
          not the recorded run: {page.difference}
        </span>
      )}
      {own?.cutAt !== undefined && (
        <span class="warn">shown up to delivery {own.cutAt.toLocaleString('en')}</span>
      )}
      {fork.value && <span class="warn">{forkShown.value ? 'changed run' : 'recorded run'}</span>}
      {progress.value && page && (
        <span class="quiet" role="status">
          {progress.value} …
        </span>
      )}
      {own && (
        <div class="controls">
          <button type="button" title="first (Home)" aria-label="first" onClick={() => goTo(-1)}>
            <Icon of="first" />
          </button>
          <button type="button" title="one step back (←)" aria-label="back" onClick={() => step(-1)}>
            <Icon of="back" />
          </button>
          <button
            type="button"
            title="play (space)"
            aria-label={playing.value ? 'stop' : 'play'}
            onClick={play}
          >
            <Icon of={playing.value ? 'stop' : 'play'} />
          </button>
          <button type="button" title="one step on (→)" aria-label="on" onClick={() => step(1)}>
            <Icon of="on" />
          </button>
          <button
            type="button"
            title="last (End)"
            aria-label="last"
            onClick={() => goTo(Number.POSITIVE_INFINITY)}
          >
            <Icon of="last" />
          </button>
          <output class="at" title="deliveries, from 0">
            {playHead.value === -1 ? (
              'start'
            ) : (
              <>
                <span class="quiet">
                  {Number.isInteger(playHead.value)
                    ? 'delivery'
                    : `network, ${playHead.value < 0 ? 'before' : 'after'} delivery`}
                </span>{' '}
                {Math.max(0, Math.floor(playHead.value)).toLocaleString('en')}
              </>
            )}{' '}
            <span class="quiet">
              {own.columns.count === 0
                ? 'of no deliveries'
                : `of 0..${(own.columns.count - 1).toLocaleString('en')}`}
            </span>
          </output>
          <label>
            <span class="hidden">along</span>
            <select
              value={axis.value}
              onChange={(event) => {
                const at = playHead.value;
                axis.value = event.currentTarget.value as 'order' | 'time';
                showAll();
                goTo(at);
              }}
            >
              <option value="order">by delivery</option>
              {!page!.asynchronous && <option value="time">by time</option>}
            </select>
          </label>
          <button type="button" title="all of it (0)" onClick={showAll}>
            fit
          </button>
          <label>
            <span class="hidden">filter of actors</span>
            <input
              id="filter"
              type="search"
              placeholder={`filter ${own.actors.length} actors (/)`}
              value={filter.value}
              onInput={(event) => {
                filter.value = event.currentTarget.value;
              }}
            />
          </label>
          <button
            type="button"
            title="keys (?)"
            aria-label="keys"
            onClick={() => {
              helpShown.value = !helpShown.value;
            }}
          >
            ?
          </button>
        </div>
      )}
    </header>
  );
}

const icons = {
  first: 'M3 3v10M13 3L6 8l7 5z',
  back: 'M11 3L4 8l7 5z',
  play: 'M5 3l8 5-8 5z',
  stop: 'M5 3v10M11 3v10',
  on: 'M5 3l7 5-7 5z',
  last: 'M13 3v10M3 3l7 5-7 5z',
} as const;

/** Signs as paths: fonts of many computers lack them. */
function Icon({ of }: { readonly of: keyof typeof icons }) {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path
        d={icons[of]}
        fill="currentcolor"
        stroke="currentcolor"
        stroke-width="1.6"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
}

function Help() {
  useEffect(() => document.getElementById('help')?.focus(), []);
  const rows = [
    ['→ ←', 'next, previous delivery or step of the network'],
    ['shift → ←', 'next, previous delivery, crash or restart of the selected actor'],
    ['] [', 'next, previous tick'],
    ['. ,', 'next, previous pick'],
    ['f F', 'next, previous finding or fault'],
    ['Home End', 'before the first delivery, the last moment'],
    ['space', 'play, stop'],
    ['+ −', 'zoom about the play head; the wheel zooms, dragging moves, a double click shows all'],
    ['0', 'all of it'],
    ['c', 'go to the cause of this delivery'],
    ['/', 'filter actors'],
    ['1 … 8', 'message, choices, findings, waits, explanation, wiring, machine, explorer'],
    ['Esc', 'close this'],
  ];
  return (
    <dialog id="help" open tabIndex={-1} aria-label="Keys">
      <h2>Keys</h2>
      <table>
        <tbody>
          {rows.map(([key, words]) => (
            <tr key={key}>
              <td>
                <kbd>{key}</kbd>
              </td>
              <td>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button
        type="button"
        onClick={() => {
          helpShown.value = false;
        }}
      >
        Close
      </button>
    </dialog>
  );
}
