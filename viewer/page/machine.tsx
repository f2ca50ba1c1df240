import type { Scene, SceneBox, SceneLine, SceneText, Tone } from '../../machines/scene.ts';
import { moment, opened, playHead, selected } from './store.ts';

const toneClass = (tone: Tone): string => `tone-${tone}`;

/** The machine as it stands at the play head, as it draws itself; a click on an actor looks into it. */
export function MachinePanel() {
  const scene = moment.value?.scene;
  if (!scene)
    return (
      <p class="quiet">
        {opened.value?.hasScene ? 'Drawing the machine …' : 'This machine does not draw itself.'}
      </p>
    );
  return (
    <div class={`drawn ${moment.value!.at === playHead.value ? '' : 'late'}`}>
      <p class="quiet">{scene.summary}</p>
      <ul class="legend">
        {scene.legend.map(({ tone, words }) => (
          <li key={words}>
            <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" class="scene">
              <rect x="1" y="1" width="12" height="12" rx="3" class={`box ${toneClass(tone)}`} />
            </svg>{' '}
            {words}
          </li>
        ))}
      </ul>
      <figure class="scroll" aria-label="The machine at the play head">
        <Drawn {...scene} />
      </figure>
    </div>
  );
}

function Drawn({ width, height, summary, shapes }: Scene) {
  return (
    <svg class="scene" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <title>{summary}</title>
      <defs>
        <marker
          id="scene-head"
          viewBox="0 0 8 8"
          refX="4"
          refY="4"
          markerWidth="2.6"
          markerHeight="2.6"
          orient="auto"
        >
          <path d="M0 0L8 4L0 8z" fill="context-stroke" />
        </marker>
      </defs>
      {shapes.map((shape, index) =>
        shape.kind === 'box' ? (
          <Box key={index} {...shape} />
        ) : shape.kind === 'line' ? (
          <Line key={index} {...shape} />
        ) : (
          <Text key={index} {...shape} />
        ),
      )}
    </svg>
  );
}

function Box({ x, y, width, height, tone, words = [], level, actor, tooltip }: SceneBox) {
  const look = (): void => {
    selected.value = actor;
  };
  const size = Math.min(12, Math.max(6, height / (words.length + 0.7)));
  return (
    <g
      class={`box ${toneClass(tone)}${actor !== undefined && actor === selected.value ? ' chosen' : ''}`}
      {...(actor !== undefined && {
        role: 'button',
        tabIndex: 0,
        onClick: look,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          look();
        },
      })}
    >
      {tooltip && <title>{tooltip}</title>}
      <rect class="below" x={x} y={y} width={width} height={height} rx={Math.min(6, height / 5)} />
      <rect x={x} y={y} width={width} height={height} rx={Math.min(6, height / 5)} />
      {level !== undefined && level > 0 && (
        <rect
          class="level"
          x={x}
          y={y + height * (1 - Math.min(1, level))}
          width={width}
          height={height * Math.min(1, level)}
          rx={Math.min(6, height / 5)}
        />
      )}
      {words.map((line, index) => (
        <text
          key={index}
          x={x + width / 2}
          y={y + height / 2 + (index - (words.length - 1) / 2) * size * 1.15}
          font-size={Math.min(size, (1.5 * width) / Math.max(1, line.length))}
          text-anchor="middle"
          dominant-baseline="central"
          class={index === 0 ? 'name' : undefined}
        >
          {line}
        </text>
      ))}
    </g>
  );
}

function Line({ points, tone, width, head, dashed, tooltip }: SceneLine) {
  const d = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  return (
    <path
      d={d}
      class={`line ${toneClass(tone)}`}
      stroke-width={width}
      {...(head && { 'marker-end': 'url(#scene-head)' })}
      {...(dashed && { 'stroke-dasharray': `${2 * width} ${2 * width}` })}
    >
      {tooltip && <title>{tooltip}</title>}
    </path>
  );
}

const Text = ({ x, y, words, quiet }: SceneText) => (
  <text x={x} y={y} font-size="12" text-anchor="middle" class={quiet ? 'quiet' : 'name'}>
    {words}
  </text>
);
