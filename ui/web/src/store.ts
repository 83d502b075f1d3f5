// A value that components can watch.
import { useEffect, useState } from 'preact/hooks';

export class Store<T> {
  private readonly watchers = new Set<(value: T) => void>();
  constructor(private current: T) {}
  get value(): T {
    return this.current;
  }
  set(value: T): void {
    if (value === this.current) return;
    this.current = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }
  watch(watcher: (value: T) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, set] = useState(store.value);
  useEffect(() => {
    set(() => store.value);
    return store.watch((next) => set(() => next));
  }, [store]);
  return value;
}
