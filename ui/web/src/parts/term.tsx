// A word or a figure with its explanation: shown when one points at it, taps it or comes to it with the keyboard.
import type { ComponentChildren } from 'preact';

export function Term({ says, label, children }: { says: string; label: string; children: ComponentChildren }) {
  return (
    <span class="term" tabIndex={0} role="note" aria-label={`${label}: ${says}`} data-says={says}>
      {children}
    </span>
  );
}

/** A name, with its explanation where there is one. */
export function Named({ name, says }: { name: string; says: string | undefined }) {
  return says ? (
    <Term label={name} says={says}>
      {name}
    </Term>
  ) : (
    <>{name}</>
  );
}
