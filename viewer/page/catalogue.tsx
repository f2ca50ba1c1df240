import { useSignal } from '@preact/signals';
import type { CampaignView, Catalogue, CatalogueEntry, ShareView } from '../protocol.ts';
import { Verdict } from './panels.tsx';
import { isServed } from './source.ts';

/** What can be opened, in groups; of a ledger what its campaign has come to. */
export function CataloguePage({ page }: { readonly page: Catalogue }) {
  const words = useSignal('');
  const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = page.entries.filter(({ title, group, file, words: more }) => {
    const text = `${title} ${group} ${file} ${more}`.toLowerCase();
    return asked.every((one) => text.includes(one));
  });
  const names = [...new Set(found.map(({ group }) => group))];
  return (
    <>
      <header>
        <h1>{page.title}</h1>
        {!page.campaign && (
          <div class="controls">
            <output class="quiet">
              {found.length === page.entries.length ? '' : `${found.length} of `}
              {page.entries.length} to open
            </output>
            <label>
              <span class="hidden">filter</span>
              <input
                type="search"
                placeholder="filter"
                value={words.value}
                onInput={(event) => {
                  words.value = event.currentTarget.value;
                }}
              />
            </label>
          </div>
        )}
      </header>
      <main class="catalogue">
        {page.campaign ? (
          <Campaign campaign={page.campaign} />
        ) : (
          names.map((group) => {
            const entries = found.filter((entry) => entry.group === group);
            return (
              <section key={group}>
                <h2>
                  {group} <span class="quiet">{entries.length}</span>
                </h2>
                <ul class="entries">
                  {entries.map((entry) => (
                    <Entry key={entry.place} entry={entry} />
                  ))}
                </ul>
              </section>
            );
          })
        )}
      </main>
    </>
  );
}

function Entry({ entry: { place, file, title, words, verdict } }: { readonly entry: CatalogueEntry }) {
  return (
    <li>
      <Opens place={place} file={file} title={title} /> {verdict && <Verdict verdict={verdict} />}
      {words && <div>{words}</div>}
      <div class="quiet">{file}</div>
    </li>
  );
}

/** A link to a page of its own; the command that opens it where no server is behind the page. */
function Opens({
  place,
  file,
  title,
}: {
  readonly place: string;
  readonly file: string;
  readonly title: string;
}) {
  return isServed ? (
    <a href={place}>{title}</a>
  ) : (
    <>
      <b>{title}</b> <code>npx lockstep view {file}</code>
    </>
  );
}

const number = (value: number): string => value.toLocaleString('en');

function Campaign({ campaign }: { readonly campaign: CampaignView }) {
  const { machine, seed, runs, deliveries, ends, covered, strategies, findings, coverage } = campaign;
  return (
    <>
      <section>
        <p>
          {machine}, seed {seed}: {number(runs)} runs, {number(deliveries)} deliveries
        </p>
        <p>{ends}</p>
        {covered && <p>{covered}</p>}
      </section>
      <section>
        <h2>Findings</h2>
        {findings.length === 0 && <p class="quiet">No run failed.</p>}
        <ol class="entries">
          {findings.map(({ verdict, what, by, place, file }, index) => (
            <li key={index}>
              <Verdict verdict={verdict} />{' '}
              {place !== undefined && file !== undefined ? (
                <Opens place={place} file={file} title={what} />
              ) : (
                <b>{what}</b>
              )}
              {place === undefined && <div class="quiet">its recording is not beside the ledger</div>}
              <div>
                {by
                  .map(
                    ({ strategy, afterRuns, failures }) =>
                      `${strategy}: first after ${number(afterRuns)} runs, ${number(failures)} in all`,
                  )
                  .join('; ')}
              </div>
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>Strategies</h2>
        <table>
          <thead>
            <tr>
              <th>strategy</th>
              <th>runs</th>
              <th>failures</th>
              <th>one in</th>
            </tr>
          </thead>
          <tbody>
            {strategies.map(({ name, runs: own }) => {
              const failures = findings
                .flatMap(({ by }) => by)
                .filter(({ strategy }) => strategy === name)
                .reduce((sum, one) => sum + one.failures, 0);
              return (
                <tr key={name}>
                  <td>{name}</td>
                  <td>{number(own)}</td>
                  <td>{number(failures)}</td>
                  <td>{failures === 0 ? '' : `${number(Math.round(own / failures))} runs`}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {coverage.length > 0 && (
        <section>
          <h2>Coverage of each state machine</h2>
          <table>
            <thead>
              <tr>
                <th>state machine</th>
                <th>states</th>
                <th>transitions</th>
                <th>guards both ways</th>
                <th>races in both orders</th>
                <th>not seen yet</th>
              </tr>
            </thead>
            <tbody>
              {coverage.map(({ type, shares, missing }) => (
                <tr key={type}>
                  <td>{type}</td>
                  {(['states', 'transitions', 'guards', 'orders'] as const).map((kind) => (
                    <Share key={kind} share={shares[kind]} />
                  ))}
                  <td>
                    {missing.length > 0 && (
                      <details>
                        <summary>{missing.length}</summary>
                        {missing.map((one) => (
                          <div key={one}>{one}</div>
                        ))}
                      </details>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

function Share({ share: { seen, of } }: { readonly share: ShareView }) {
  return (
    <td class="share">
      {of > 0 && (
        <>
          <meter min={0} max={of} value={seen} aria-label={`${seen} of ${of}`} /> {seen} of {of}
        </>
      )}
    </td>
  );
}
