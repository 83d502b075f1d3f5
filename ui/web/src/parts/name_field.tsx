import { text } from '../text';

/** What something is to be called: never nothing, never longer than the instrument keeps. */
export function NameField({ label = text.draft.saveName, name, set }: { label?: string; name: string; set: (name: string) => void }) {
  return (
    <label>
      {label}
      <input required maxLength={80} value={name} onInput={(event) => set(event.currentTarget.value)} />
    </label>
  );
}
