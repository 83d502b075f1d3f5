// What is chosen in one view is chosen in the others too.
import { Store } from './store';

/** The keys that one regulates, looks at in the scope and voices: 1..88, rising. */
export const chosenKeys = new Store<readonly number[]>([49]);
