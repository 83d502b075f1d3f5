// Names and values; a bad one stands out, and one that needs it says what it is.
import { Term } from './term';

export function Figures({ rows }: { rows: [name: string, value: string, bad?: boolean, says?: string][] }) {
  return (
    <dl class="figures">
      {rows.map(([name, value, bad, says]) => (
        <div key={name} class={bad ? 'bad' : ''}>
          <dt>
            {says ? (
              <Term label={name} says={says}>
                {name}
              </Term>
            ) : (
              name
            )}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
