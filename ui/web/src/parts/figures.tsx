// Names and values; a bad one stands out, and one that needs it says what it is.
import { Named } from './term';

export function Figures({ rows }: { rows: [name: string, value: string, bad?: boolean, says?: string][] }) {
  return (
    <dl class="figures">
      {rows.map(([name, value, bad, says]) => (
        <div key={name} class={bad ? 'bad' : ''}>
          <dt>
            <Named name={name} says={says} />
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
