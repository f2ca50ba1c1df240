import { signal } from '@preact/signals';
import type { ExploredView, StateView } from '../protocol.ts';
import type { Client } from './client.ts';
import { Graph, type GraphBox, type GraphEdge } from './graph.tsx';
import { Verdict } from './panels.tsx';
import { failure, fork, forkShown, goTo, progress } from './store.ts';

/** Kept while other panels are looked at. */
const explored = signal<ExploredView | undefined>(undefined);
const here = signal<StateView | undefined>(undefined);
/** The states that one came through. */
const way = signal<readonly number[]>([]);
const isBusy = signal(false);
/** Ways to begin that are listed. */
const startsShown = 40;

async function carefully(words: string, work: () => Promise<void>): Promise<void> {
  isBusy.value = true;
  progress.value = words;
  try {
    await work();
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
  progress.value = '';
  isBusy.value = false;
}

/** All schedules of a small machine: what can happen next from a state, where something is found, and the shortest way there. */
export function ExplorerPanel({ client }: { readonly client: Client }) {
  const found = explored.value;
  const go = (state: number, back = false): Promise<void> =>
    carefully('looking', async () => {
      if (here.value && !back) way.value = [...way.value, here.value.number];
      here.value = await client.ask('explored', { state });
    });
  const explore = (): Promise<void> =>
    carefully('exploring', async () => {
      explored.value = await client.ask('explore', {}, (words) => {
        progress.value = `exploring: ${words}`;
      });
      here.value = await client.ask('explored', { state: 0 });
    });
  const open = (finding: number): Promise<void> =>
    carefully('carrying out the way to the finding', async () => {
      fork.value = await client.ask('wayTo', { finding });
      forkShown.value = true;
      const { marks } = fork.value.run;
      goTo(marks.find(({ kind }) => kind === 'finding')?.at ?? Number.POSITIVE_INFINITY);
    });
  if (!found)
    return (
      <p>
        <button type="button" disabled={isBusy.value} onClick={() => void explore()}>
          Explore all schedules
        </button>{' '}
        <span class="quiet">of this machine, as lockstep check does, up to 20,000 states</span>
      </p>
    );
  return (
    <>
      <p>
        <Verdict verdict={found.verdict === 'incomplete' ? 'ok so far' : found.verdict} />{' '}
        {found.states.toLocaleString('en')} states, {found.transitions.toLocaleString('en')} deliveries
        {found.limit && <span class="warn"> {found.limit}</span>}
      </p>
      {found.findings.length > 0 && (
        <ul>
          {found.findings.map(({ verdict, what, why, state, isRun }, index) => (
            <li key={`${state} ${what}`}>
              <Verdict verdict={verdict} /> {what} <span class="quiet">{why}</span>{' '}
              {isRun && (
                <>
                  <button type="button" class="link" onClick={() => void go(state)}>
                    after state {state}
                  </button>{' '}
                  <button type="button" disabled={isBusy.value} onClick={() => void open(index)}>
                    Shortest way, as a run
                  </button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {found.starts.length > 1 && (
        <p>
          Runs begin in one of {found.starts.length} states:{' '}
          {found.starts.slice(0, startsShown).map((start) => (
            <button key={start} type="button" class="link" onClick={() => void go(start)}>
              {start},&nbsp;
            </button>
          ))}
          {found.starts.length > startsShown && '…'}
        </p>
      )}
      {here.value && <Here state={here.value} found={found} go={go} />}
    </>
  );
}

function Here({
  state,
  found,
  go,
}: {
  readonly state: StateView;
  readonly found: ExploredView;
  readonly go: (state: number, back?: boolean) => Promise<void>;
}) {
  const last = way.value.at(-1);
  return (
    <>
      <h3>
        State {state.number}{' '}
        {last !== undefined && (
          <button
            type="button"
            onClick={() => {
              way.value = way.value.slice(0, -1);
              void go(last, true);
            }}
          >
            back to {last}
          </button>
        )}
      </h3>
      <p class="line">
        {state.actors.map(({ actor, state: own, waiting }) => (
          <span key={actor} class="state">
            {actor}: {own}
            {waiting ? ', waits' : ''}
          </span>
        ))}
      </p>
      {state.messages.length > 0 && <p class="quiet">under way: {state.messages.join('; ')}</p>}
      {state.wrong.map((what) => (
        <p key={what} class="bad">
          After this state: {what}
        </p>
      ))}
      <h3>What can happen next</h3>
      {state.next.length === 0 ? (
        <p class="quiet">Nothing.</p>
      ) : (
        <ul>
          {state.next.map(({ to, deliveries, wrong }) => (
            <li key={to}>
              <button type="button" class="link" onClick={() => void go(to)}>
                {deliveries.length > 0 ? deliveries.join('; ') : 'nothing is delivered'}
              </button>{' '}
              <span class="quiet">to state {to}</span>
              {wrong.length > 0 && <span class="bad"> {wrong.join('; ')}</span>}
            </li>
          ))}
        </ul>
      )}
      <Around state={state} found={found} go={go} />
    </>
  );
}

/** The graph of all states where they are few, else the states before and after this one. */
function Around({ state, found, go }: Parameters<typeof Here>[0]) {
  const wrong = new Set(found.findings.filter(({ isRun }) => isRun).map((one) => one.state));
  const edges: GraphEdge[] = found.graph
    ? found.graph.flatMap(({ from, to }) => to.map((one) => ({ from: String(from), to: String(one) })))
    : [
        ...state.before.slice(0, 12).map((one) => ({ from: String(one), to: String(state.number) })),
        ...state.next.slice(0, 12).map(({ to }) => ({ from: String(state.number), to: String(to) })),
      ];
  const numbers = new Set([String(state.number), ...edges.flatMap(({ from, to }) => [from, to])]);
  const boxes: GraphBox[] = [...numbers].map((id) => ({
    id,
    lines: [id],
    lit: wrong.has(Number(id)),
    chosen: id === String(state.number),
  }));
  return (
    <>
      <h3>{found.graph ? 'All states' : 'States before and after this one'}</h3>
      <Graph
        boxes={boxes}
        edges={edges.filter(({ from, to }) => from !== to)}
        label="The graph of states"
        onChoose={(id) => void go(Number(id))}
      />
    </>
  );
}
