import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type {
  Alternatives,
  ExplanationView,
  MessageView,
  Moment,
  PanelName,
  Plain,
  RunView,
} from '../protocol.ts';
import type { Client } from './client.ts';
import { Graph } from './graph.tsx';
import { chart } from './source.ts';
import {
  failure,
  fork,
  forkShown,
  goTo,
  lanesOf,
  lit,
  moment,
  opened,
  panel,
  playHead,
  progress,
  run,
  selected,
} from './store.ts';
import { Tree } from './tree.tsx';
import { waitGraph } from './waits.ts';

const fields = (payload: Plain): readonly (readonly [string, Plain])[] =>
  typeof payload === 'object' && payload !== null ? Object.entries(payload) : [];

/** An actor whose name selects it. */
function ActorName({ name }: { readonly name: string }) {
  if (name === 'world') return <span class="quiet">the outside</span>;
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        selected.value = name;
      }}
    >
      {name}
    </button>
  );
}

const namesMax = 8;

/** Some actors, each of which can be selected. */
function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.slice(0, namesMax).map((name) => (
        <span key={name}>
          <ActorName name={name} />{' '}
        </span>
      ))}
      {names.length > namesMax && <span class="quiet">and {names.length - namesMax} more</span>}
    </>
  );
}

function MessageLine({ message }: { readonly message: MessageView }) {
  const words = fields(message.payload)
    .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    .join(', ');
  return (
    <li class="line">
      <b>{message.type}</b> <ActorName name={message.from} /> → <ActorName name={message.to} />
      {message.due !== undefined && <span class="quiet"> due {message.due} </span>}
      {words && (
        <>
          {' '}
          <span class="quiet clip" title={words}>
            {words}
          </span>
        </>
      )}
    </li>
  );
}

/** Charts that are wider, px, would be unreadable when made to fit. */
const wideChart = 1100;

/** The state machine of the selected actor, its active states lit. */
function Chart({ machine, active }: { readonly machine: string; readonly active: readonly string[] }) {
  const place = useRef<HTMLDivElement>(null);
  const light = () => {
    for (const box of place.current?.querySelectorAll('[data-node]') ?? []) {
      const id = box.getAttribute('data-node')!;
      box.classList.toggle('active', active.includes(id));
      // A state that holds an active one keeps its ground.
      box.classList.toggle(
        'inner',
        active.includes(id) && !active.some((one) => one.startsWith(`${id}_`)) && id !== machine,
      );
    }
    // The chart is scrolled, never the panel around it.
    const [frame, box] = [place.current, place.current?.querySelector('.inner')];
    if (!frame || !box) return;
    const [outer, inner] = [frame.getBoundingClientRect(), box.getBoundingClientRect()];
    frame.scrollBy(
      inner.left + inner.width / 2 - outer.left - outer.width / 2,
      inner.top + inner.height / 2 - outer.top - outer.height / 2,
    );
  };
  useEffect(() => {
    let current = true;
    place.current?.replaceChildren('Drawing the statechart …');
    chart(machine).then(
      (svg) => {
        if (!current || !place.current) return;
        // A picture is parsed as one, never as a page: what is in it is drawn, not run.
        const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
        const picture = document.importNode(parsed, true);
        // A large one keeps its size, and is scrolled to where the actor is.
        if (Number(picture.getAttribute('width')) > wideChart) picture.classList.add('wide');
        place.current.replaceChildren(picture);
        light();
      },
      () => place.current?.replaceChildren('No statechart of this actor.'),
    );
    return () => {
      current = false;
    };
  }, [machine]);
  useEffect(light);
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keys.
  return <section ref={place} class="chart" aria-label={`Statechart of ${machine}`} tabIndex={0} />;
}

/** The selected actor: its statechart, its state, its context with what the last delivery changed, its inbox. */
export function ActorPanel() {
  const now = moment.value;
  const name = selected.value;
  const actor = now?.actor?.name === name ? now?.actor : undefined;
  const info = run.value?.actors.find((one) => one.name === name);
  if (!name || !info)
    return (
      <section class="panel">
        <h2>Actor</h2>
        <p class="quiet">Select a lane to look into an actor.</p>
      </section>
    );
  return (
    <section class="panel" aria-label={`Actor ${name}`}>
      <h2>
        {name} <span class="quiet">{info.machine}</span>
      </h2>
      {!actor ? (
        <p class="quiet">It does not exist yet at this moment.</p>
      ) : (
        <>
          <p>
            <span class="state">{actor.state}</span>
            {actor.waiting && (
              <span>
                {' '}
                waits for {actor.waiting.waitsFor} since {actor.waiting.since}
                {actor.waiting.on.length > 0 && (
                  <>
                    {' '}
                    on <Names names={actor.waiting.on} />
                  </>
                )}
              </span>
            )}
          </p>
          <Chart machine={info.machine} active={actor.active} />
          <h3>
            Context{' '}
            {actor.before !== undefined && (
              <span class="quiet">
                what the last {Number.isInteger(now!.at) ? 'delivery' : 'step'} changed is marked
              </span>
            )}
          </h3>
          <div class="tree">
            {fields(actor.context).length === 0 && <span class="quiet">It remembers nothing.</span>}
            {fields(actor.context).map(([key, value]) => (
              <Tree
                key={key}
                name={key}
                value={value}
                before={(actor.before as { readonly [key: string]: Plain } | undefined)?.[key]}
                changed={actor.before !== undefined}
              />
            ))}
          </div>
          <h3>
            Inbox <span class="quiet">{actor.inbox.length} under way to it</span>
          </h3>
          <ul>
            {actor.inbox.slice(0, 50).map((message, index) => (
              <MessageLine key={index} message={message} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** All deliveries that led to one, or that came of it. */
function related(at: number, way: 'past' | 'future'): ReadonlySet<number> {
  const { cause, count } = run.value!.columns;
  const found = new Set([at]);
  if (way === 'past') for (let one = cause[at]!; one >= 0; one = cause[one]!) found.add(one);
  else for (let one = at + 1; one < count; one++) if (found.has(cause[one]!)) found.add(one);
  return found;
}

const UnderWay = ({ now }: { readonly now: Moment }) => (
  <>
    <h3>
      Under way <span class="quiet">{now.underWayCount.toLocaleString('en')}</span>
    </h3>
    <ul>
      {now.underWay.slice(0, 30).map((message, index) => (
        <MessageLine key={index} message={message} />
      ))}
    </ul>
  </>
);

/** The delivery at the play head: who sent what to whom and why, and what came of it. */
export function MessagePanel() {
  const now = moment.value;
  const at = playHead.value;
  if (now?.at === at && !Number.isInteger(at))
    return (
      <>
        <h3>
          The network <span class="quiet">tick {now.tick.toLocaleString('en')}, no delivery</span>
        </h3>
        <Marks marks={run.value!.marks.filter((mark) => mark.at === at)} />
        <UnderWay now={now} />
      </>
    );
  if (!now || !now.delivered || now.at !== at)
    return <p class="quiet">{at === -1 ? 'Before the first delivery. Step on with →.' : 'Looking …'}</p>;
  const { cause, count } = run.value!.columns;
  const own = cause[at]!;
  const caused: number[] = [];
  for (let one = at + 1; one < count && caused.length < 20; one++) if (cause[one] === at) caused.push(one);
  const { delivered } = now;
  return (
    <>
      <h3>
        {delivered.type}{' '}
        <span class="quiet">
          delivery {at.toLocaleString('en')}, tick {now.tick.toLocaleString('en')}
        </span>
      </h3>
      <p>
        <ActorName name={delivered.from} /> → <ActorName name={delivered.to} />
      </p>
      <div class="tree">
        {fields(delivered.payload).map(([key, value]) => (
          <Tree key={key} name={key} value={value} open />
        ))}
      </div>
      <h3>Why</h3>
      {own < 0 ? (
        <p class="quiet">It came from the outside, or nothing was delivered before it was posted.</p>
      ) : (
        <Jump at={own} words="posted while handling" />
      )}
      <p>
        <button
          type="button"
          onClick={() => {
            lit.value = related(at, 'past');
          }}
        >
          Light its past
        </button>{' '}
        <button
          type="button"
          onClick={() => {
            lit.value = related(at, 'future');
          }}
        >
          Light its future
        </button>{' '}
        {lit.value.size > 0 && (
          <button
            type="button"
            onClick={() => {
              lit.value = new Set();
            }}
          >
            Put out
          </button>
        )}
      </p>
      <h3>What came of it</h3>
      {caused.length === 0 && <p class="quiet">Nothing that was delivered.</p>}
      <ul>
        {caused.map((one) => (
          <li key={one}>
            <Jump at={one} words="" />
          </li>
        ))}
      </ul>
      <UnderWay now={now} />
    </>
  );
}

/** A delivery in words; a click goes to it. */
function Jump({ at, words }: { readonly at: number; readonly words: string }) {
  const { columns, types, actors } = run.value!;
  const to = actors[columns.to[at]!]!.name;
  return (
    <button type="button" class="link" onClick={() => goTo(at, to)}>
      {words && `${words} `}
      <b>{types[columns.type[at]!]}</b> at {to}, delivery {at.toLocaleString('en')}
    </button>
  );
}

const rowsShown = 400;

/** The questions of the run around the play head; another answer makes another run. */
export function ChoicesPanel({ client }: { readonly client: Client }) {
  const open = useSignal<number | undefined>(undefined);
  const answers = useSignal<Alternatives | undefined>(undefined);
  const original = opened.value!.run;
  const { picks } = original;
  const ask = async (pick: number): Promise<void> => {
    open.value = open.value === pick ? undefined : pick;
    answers.value = undefined;
    if (open.value === undefined) return;
    const { at, tick } = picks[pick]!;
    forkShown.value = false;
    const { network } = lanesOf(false)!;
    // In front of it, behind what the network has done by then.
    goTo(network.findLast((step) => step.at > at - 1 && step.tick < tick)?.at ?? at - 1);
    answers.value = await client.ask('alternatives', { pick });
  };
  const change = async (pick: number, answer: number): Promise<void> => {
    progress.value = 'carrying out the changed run';
    try {
      fork.value = await client.ask('fork', { pick, answer }, (words) => {
        progress.value = `changed run: ${words}`;
      });
      forkShown.value = true;
      goTo(fork.value.differs);
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    }
    progress.value = '';
  };
  const changed = fork.value;
  const near = picks.findIndex(({ at }) => at > playHead.value);
  const first = Math.max(0, (near < 0 ? picks.length : near) - rowsShown / 4);
  return (
    <>
      {changed && (
        <div class="compare">
          <p>
            {changed.words}: the recorded run ends <Verdict verdict={verdictOf(original.ending)} /> after{' '}
            {original.ending.deliveries.toLocaleString('en')} deliveries, the other one{' '}
            <Verdict verdict={verdictOf(changed.run.ending)} /> after{' '}
            {changed.run.ending.deliveries.toLocaleString('en')}.
          </p>
          <p>
            <button
              type="button"
              aria-pressed={!forkShown.value}
              onClick={() => {
                forkShown.value = false;
                goTo(changed.differs);
              }}
            >
              Recorded run
            </button>{' '}
            <button
              type="button"
              aria-pressed={forkShown.value}
              onClick={() => {
                forkShown.value = true;
                goTo(changed.differs);
              }}
            >
              Changed run
            </button>{' '}
            <button type="button" onClick={() => save(changed.recording)}>
              Save as a recording
            </button>{' '}
            <button
              type="button"
              onClick={() => {
                forkShown.value = false;
                fork.value = undefined;
                goTo(playHead.value);
              }}
            >
              Drop it
            </button>
          </p>
        </div>
      )}
      {picks.length === 0 && (
        <p class="quiet">This run asked nothing: at no moment could something else have happened.</p>
      )}
      <ol class="picks" start={first}>
        {picks.slice(first, first + rowsShown).map(({ at, tick, what, count, pick }, index) => {
          const number = first + index;
          return (
            <li key={number} class={at <= playHead.value ? 'done' : ''}>
              <button
                type="button"
                class="link"
                aria-expanded={open.value === number}
                onClick={() => void ask(number)}
              >
                {what === 'deliver' ? `which of ${count} messages` : what}: <b>{pick}</b> of 0..{count - 1}
                <span class="quiet">
                  {' '}
                  before delivery {at}, tick {tick}
                </span>
              </button>
              {open.value === number && (
                <ul>
                  {!answers.value && <li class="quiet">Looking …</li>}
                  {answers.value?.answers.map((words, answer) => (
                    <li key={answer}>
                      <button
                        type="button"
                        disabled={answer === pick}
                        onClick={() => void change(number, answer)}
                        title={answer === pick ? 'what the run did' : 'carry out the run with this answer'}
                      >
                        {answer === pick ? '✓ ' : ''}
                        <span class="clip">{words}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function save(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'changed-run.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The verdict of a run, as the command line says it. */
export const verdictOf = ({ verdict, isSoFar }: RunView['ending']): string =>
  verdict === 'ok' && isSoFar ? 'ok so far' : verdict;

export function Verdict({ verdict }: { readonly verdict: string }) {
  const kind = verdict === 'ok' ? 'good' : verdict === 'ok so far' ? 'warn' : 'bad';
  return <span class={`verdict ${kind}`}>{verdict}</span>;
}

/** For what is known of a judged run only. */
const NotYet = ({ run: { isRunning } }: { readonly run: RunView }) => (
  <p class="quiet">The run is still {isRunning ? 'carried out' : 'judged by its properties'}.</p>
);

/** Findings and faults; each goes to its moment. */
const Marks = ({ marks }: { readonly marks: RunView['marks'] }) => (
  <ul class="marks">
    {marks.map(({ kind, at, tick, title, why, actors }, index) => (
      <li key={index} class={kind}>
        <button type="button" class="link" onClick={() => goTo(at, actors[0])}>
          {kind === 'finding' ? '▼' : '◆'} tick {tick}: <b>{title}</b>
        </button>
        <div>
          {why}{' '}
          <span class="quiet">
            <Names names={actors} />
          </span>
        </div>
      </li>
    ))}
  </ul>
);

/** Who waits for whom at the end of a deadlock, the circle marked; first of all what led there. */
export function WaitsPanel() {
  const { ending, marks, isUnjudged } = run.value!;
  if (isUnjudged) return <NotYet run={run.value!} />;
  if (ending.waiting.length === 0) return <p class="quiet">Nobody is left waiting at the end of this run.</p>;
  const circle = new Set(ending.cycle);
  const { boxes, edges, firstOf, left } = waitGraph(ending);
  return (
    <>
      <Marks marks={marks.slice(0, 3)} />
      <Graph
        boxes={boxes.map((box) => ({ ...box, chosen: firstOf.get(box.id) === selected.value }))}
        edges={edges}
        label="Who waits for whom"
        onChoose={(id) => {
          selected.value = firstOf.get(id);
        }}
      />
      {left > 0 && <p class="quiet">and {left.toLocaleString('en')} more who wait, in the table</p>}
      {ending.cycle.length > 0 && (
        <p class="circle">
          They wait for each other in a circle:{' '}
          {[...ending.cycle, ending.cycle[0]!].map((name, index) => (
            <>
              {index > 0 && ' → '}
              <ActorName name={name} />
            </>
          ))}
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th>actor</th>
            <th>state</th>
            <th>since tick</th>
            <th>waits for</th>
            <th>on</th>
          </tr>
        </thead>
        <tbody>
          {ending.waiting.slice(0, 200).map(({ actor, state, since, waitsFor, on }) => (
            <tr key={actor} class={circle.has(actor) ? 'circle' : ''}>
              <td>
                <ActorName name={actor} />
              </td>
              <td>{state}</td>
              <td>{since}</td>
              <td>{waitsFor}</td>
              <td>
                <Names names={on} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** What properties found and which faults struck; each goes to its moment. */
export function FindingsPanel() {
  const { marks, ending, isUnjudged } = run.value!;
  return (
    <>
      {ending.words && <p class="circle">{ending.words}</p>}
      {isUnjudged ? (
        <NotYet run={run.value!} />
      ) : (
        marks.length === 0 && !ending.words && <p class="quiet">Nothing was found, and no fault struck.</p>
      )}
      <Marks marks={marks.slice(0, 300)} />
      {!isUnjudged && (marks.some(({ kind }) => kind === 'finding') || ending.words) && (
        <p>
          <button type="button" class="link" onClick={() => choosePanel('explanation')}>
            What led to it, in words
          </button>
        </p>
      )}
      <h3>Figures</h3>
      <table>
        <tbody>
          {ending.figures.map(({ label, value }) => (
            <tr key={label}>
              <td>{label}</td>
              <td>{value}</td>
            </tr>
          ))}
          {!isUnjudged && (
            <tr>
              <td>fingerprint</td>
              <td>
                <code>{ending.fingerprint}</code>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}

const explanation: { asked?: Promise<ExplanationView> } = {};

/** Why the run failed, as `lockstep explain` tells it, with the deliveries that it is about. */
export function ExplanationPanel({ client }: { readonly client: Client }) {
  const told = useSignal<ExplanationView | undefined>(undefined);
  const refused = useSignal('');
  useEffect(() => {
    explanation.asked ??= client.ask('explain', {});
    explanation.asked.then(
      (view) => {
        told.value = view;
      },
      (error: Error) => {
        refused.value = error.message;
      },
    );
  }, []);
  if (refused.value) return <p class="circle">{refused.value}</p>;
  if (!told.value) return <p class="quiet">Trying other schedules to find what makes the difference …</p>;
  return (
    <pre class="page">
      {told.value.parts.map(({ text, at }, index) =>
        at === undefined ? (
          text
        ) : (
          <button
            key={index}
            type="button"
            class={at === playHead.value && !forkShown.value ? 'link here' : 'link'}
            title={
              Number.isInteger(at)
                ? `go to delivery ${at.toLocaleString('en')}`
                : 'go to this step of the network'
            }
            onClick={() => {
              forkShown.value = false;
              const { actors, columns, marks } = run.value!;
              goTo(at, actors[columns.to[at]!]?.name ?? marks.find((mark) => mark.at === at)?.actors[0]);
            }}
          >
            {text}
          </button>
        ),
      )}
    </pre>
  );
}

export const panels = [
  'message',
  'choices',
  'findings',
  'waits',
  'explanation',
  'wiring',
  'machine',
  'explorer',
] as const;
/** The parts of this page: not every machine draws itself. */
export const panelsShown = (): readonly PanelName[] =>
  panels.filter((name) => name !== 'machine' || opened.value?.hasScene);
export const choosePanel = (name: (typeof panels)[number]): void => {
  panel.value = name;
};
