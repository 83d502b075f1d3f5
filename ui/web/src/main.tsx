import { render } from 'preact';
import { App } from './app';
import { watchColours } from './canvas';
import { instrument } from './instrument';
import './style/base.css';
import './style/frame.css';
import './style/play.css';
import './style/touch.css';
import './style/regulate.css';
import './style/system.css';
import './style/narrow.css';

watchColours();
instrument.open();
render(<App />, document.getElementById('app')!);

// A menu closes when something is chosen in it, or one looks elsewhere.
const closeMenus = (but: Node | null) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!but || !menu.contains(but)) menu.removeAttribute('open');
};
addEventListener('click', (event) => {
  const target = event.target as Element;
  closeMenus(target.closest('.menu button') ? null : target);
});
addEventListener('keydown', (event) => event.key === 'Escape' && closeMenus(null));
// And is seen whole where it opens.
addEventListener('toggle', ({ target }) => target instanceof Element && target.matches('details.menu[open]') && target.lastElementChild!.scrollIntoView({ block: 'nearest' }), true);
