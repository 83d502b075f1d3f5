import { text } from '../text';
import { Dialog } from './dialog';

/** Asks before something is done that `deed` names. */
export function Confirm({ deed, question, close, go }: { deed: string; question: string; close: () => void; go: () => void }) {
  return (
    <Dialog title={deed} close={close}>
      <p>{question}</p>
      <footer>
        <button onClick={close}>{text.draft.cancel}</button>
        <button class="main" onClick={go}>
          {deed}
        </button>
      </footer>
    </Dialog>
  );
}
