// A part of the page onto which a file can be dropped.
import { useState } from 'preact/hooks';

export function useDrop(take: (file: File | undefined) => Promise<void>) {
  const [dropping, setDropping] = useState(false);
  const events = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setDropping(true);
    },
    onDragLeave: () => setDropping(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setDropping(false);
      void take(event.dataTransfer?.files[0]);
    },
  };
  return { dropping, events };
}
